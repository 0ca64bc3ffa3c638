#!/usr/bin/env bash
# Guess: what peft's LoRA learns on the linear layers of torch.nn.TransformerEncoderLayer is there in evaluation as in
# training, and each adapter that is counted as trainable is trained.
# Seen: in evaluation all adapters of the layer are left out: it takes the weights past its sublayers, in one fused
# operation, and the weight that peft's layer shows is the base's. The model answers as if it had never been trained, also
# where gradients are recorded, and nothing is said; merging brings the adapters back. out_proj, which "all-linear"
# includes, is passed by in training as well: its adapters are counted and never get a gradient, and merging changes the
# answers. torch.backends.mha.set_fastpath_enabled(False) mends the former.
# peft 0.21.2, transformers 5.24.0, accelerate 1.15.0, torch 2.13.0, numpy 2.4.6, CPU. Prints whether the adapters count:
# linear1: in training True, in evaluation False, merged True, in evaluation without the fast path True; out_proj: in
# training False, merged True.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6 transformers==5.24.0 accelerate==1.15.0 peft==0.21.2
env/bin/python - <<'PROGRAM'
import torch
from peft import LoraConfig, get_peft_model

x = torch.randn(2, 5, 16, generator=torch.Generator().manual_seed(0))


def differs(first, second):
    return not torch.allclose(first, second, atol=1e-4)


def effects(target):
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)
    model = torch.nn.Sequential(layer).eval()
    base = model(x)
    adapted = get_peft_model(model, LoraConfig(target_modules=[target], init_lora_weights=False))
    trained = adapted.train()(x.clone().requires_grad_())
    trained.sum().backward()
    gradients = [parameter.grad for name, parameter in adapted.named_parameters() if "lora" in name]
    evaluated = adapted.eval()(x)
    torch.backends.mha.set_fastpath_enabled(False)
    slow = adapted(x)
    torch.backends.mha.set_fastpath_enabled(True)
    merged = adapted.merge_and_unload()(x)
    return {
        "training": differs(trained, base),
        "gradients": all(gradient is not None for gradient in gradients),
        "evaluation": differs(evaluated, base),
        "without the fast path": differs(slow, base),
        "merged": differs(merged, base),
    }


linear, projection = effects("linear1"), effects("out_proj")
print("linear1", linear, "\nout_proj", projection)
assert linear == {
    "training": True,
    "gradients": True,
    "evaluation": False,
    "without the fast path": True,
    "merged": True,
}
assert projection == {
    "training": False,
    "gradients": False,
    "evaluation": False,
    "without the fast path": False,
    "merged": True,
}
PROGRAM
