"""What the Bicep compiler says, where there is one."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

MAIN = Path(__file__).parents[3] / "infra" / "main.bicep"

# The Azure CLI and azd bring one of their own, which is on no PATH.
HOMES = [str(Path.home() / tool / "bin") for tool in (".azure", ".azd")]
BICEP = shutil.which("bicep", path=os.pathsep.join([os.environ.get("PATH", ""), *HOMES]))


@pytest.mark.azure
@pytest.mark.skipif(BICEP is None, reason="needs the Bicep CLI: https://aka.ms/bicep-install")
def test_the_templates_compile_without_a_warning() -> None:
    # It fetches the types of Microsoft Graph, so it needs the network too.
    built = subprocess.run(
        [str(BICEP), "build", str(MAIN), "--stdout"], capture_output=True, text=True, check=False
    )
    assert (built.returncode, built.stderr) == (0, "")
