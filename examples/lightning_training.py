"""Lightning with two ranks: Lightning starts the second one itself, with the same flags as the first.

Run: dynconf run --set optimize_ddp=python_reducer --set compiled_autograd=true examples/lightning_training.py
It needs lightning. Without `dynconf run`, a call of `dynconf.install` at the top of the program does the
same, because every rank runs the program.
"""

import sys

import lightning
import torch
from torch.utils.data import DataLoader, TensorDataset

import dynconf


class Model(lightning.LightningModule):
    """A compiled layer."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.compile(torch.nn.Linear(4, 1), backend="aot_eager")

    def training_step(self, batch: list[torch.Tensor], _: int) -> torch.Tensor:
        """Return the loss for inputs ``[batch, 4]``."""
        loss: torch.Tensor = self.layer(batch[0]).square().mean()
        return loss

    def configure_optimizers(self) -> torch.optim.Optimizer:
        """Return plain gradient descent."""
        return torch.optim.SGD(self.parameters(), lr=0.01)

    def on_train_end(self) -> None:
        """Show what this rank was trained with."""
        mode, origin = dynconf.snapshot()["optimize_ddp"], dynconf.origin("optimize_ddp")
        # In one write, because the ranks share the output.
        sys.stdout.write(f"rank {self.global_rank}: optimize_ddp={mode}, from {origin}\n")


def main() -> None:
    """Train for two steps."""
    trainer = lightning.Trainer(
        max_steps=2, accelerator="cpu", devices=2, strategy="ddp", logger=False,
        enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False,
    )  # fmt: skip
    trainer.fit(Model(), DataLoader(TensorDataset(torch.randn(16, 4)), batch_size=2))


if __name__ == "__main__":
    main()
