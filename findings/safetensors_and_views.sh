#!/usr/bin/env bash
# Guess: safetensors saves the values that an array or a tensor shows, or refuses it, as it refuses a tensor of torch that
# is not contiguous.
# Seen: of a NumPy array that is transposed or in Fortran's order it saves the memory as it lies, under the shape that the
# array shows: the numbers come back in other places. Of a tensor of torch that is conjugated by a mark, as by conj() or
# .H, or negated by one, as the .imag of a conjugate, it saves the numbers without the mark, for such a tensor counts as
# contiguous, and contiguous() leaves the mark on it. Nothing is said. numpy.save() and torch.save() keep the values, and
# safetensors does after numpy.ascontiguousarray(), resolve_conj() and resolve_neg().
# safetensors 0.8.0, torch 2.13.0, numpy 2.4.6. Prints whether the values come back: False for all five; resolved: True.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6 safetensors==0.8.0
env/bin/python - <<'EOF'
import numpy
import safetensors.numpy
import safetensors.torch
import torch


def array_comes_back(array):
    loaded = safetensors.numpy.load(safetensors.numpy.save({"array": array}))["array"]
    return loaded.shape == array.shape and bool((loaded == array).all())


def tensor_comes_back(tensor):
    assert tensor.is_contiguous()
    return torch.equal(safetensors.torch.load(safetensors.torch.save({"tensor": tensor}))["tensor"], tensor)


array = numpy.arange(6.0).reshape(2, 3)
row = torch.tensor([[1 + 2j, 3 - 4j]])
single = torch.tensor([1 + 2j]).conj().imag
found = {
    "transposed": array_comes_back(array.T),
    "Fortran's order": array_comes_back(numpy.asfortranarray(array)),
    "conj()": tensor_comes_back(row.conj().contiguous()),
    ".H": tensor_comes_back(row.H),
    ".imag": tensor_comes_back(single),
}
print(found)
assert not any(found.values())
resolved = (
    array_comes_back(numpy.ascontiguousarray(array.T)),
    tensor_comes_back(row.conj().resolve_conj()),
    tensor_comes_back(single.resolve_neg()),
)
print("resolved:", *resolved)
assert all(resolved)
EOF
