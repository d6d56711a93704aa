"""Muon: momentum whose update is made orthogonal by Newton-Schulz steps, for the matrices inside the blocks."""

import torch

_COEFFICIENTS = (3.4445, -4.7750, 2.0315)


def orthogonalise(matrix: torch.Tensor, steps: int = 5) -> torch.Tensor:
    """A matrix with the same singular vectors and all singular values near one."""
    a, b, c = _COEFFICIENTS
    x = matrix.bfloat16()
    tall = x.shape[0] > x.shape[1]
    x = x.t() if tall else x
    x = x / (x.float().norm() + 1e-7).bfloat16()
    for _ in range(steps):
        gram = x @ x.t()
        x = a * x + (b * gram + c * (gram @ gram)) @ x
    return (x.t() if tall else x).float()


class Muon:
    """Steps a list of matrices; Nesterov momentum, decoupled weight decay."""

    def __init__(self, parameters: list[torch.nn.Parameter], momentum: float = 0.95, weight_decay: float = 0.05):
        self.parameters = parameters
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.buffers = [torch.zeros_like(p) for p in parameters]

    @torch.no_grad()
    def step(self, learning_rate: float) -> None:
        if learning_rate == 0:
            return
        for parameter, buffer in zip(self.parameters, self.buffers):
            buffer.lerp_(parameter.grad, 1 - self.momentum)
            update = orthogonalise(parameter.grad.lerp(buffer, self.momentum))
            scale = max(1.0, parameter.shape[0] / parameter.shape[1]) ** 0.5
            parameter.mul_(1 - learning_rate * self.weight_decay).add_(update, alpha=-learning_rate * scale)
