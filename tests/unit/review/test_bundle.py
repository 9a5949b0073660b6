"""Modules are joined as they are written, and what can't be joined is named."""

from __future__ import annotations

import os
from graphlib import CycleError
from pathlib import Path

import pytest

from countersign.review.bundle import bundle_of


def bundled(folder: Path, **modules: str) -> str:
    files = {f"{name}.js": folder / f"{name}.js" for name in modules}
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text)
    return bundle_of(files, []).script.decode()


def test_a_module_runs_once_after_those_that_it_imports_from(tmp_path: Path) -> None:
    script = bundled(
        tmp_path,
        main='import { one as first } from "./a.js";\nawait first();\n',
        kinds='import "./a.js";\nlet x = 1;\n',
        a="/** Said. */\nexport function one() {}\nexport const two = 2;\n",
    )
    assert script.index("m_a = ") < script.index("m_kinds = ") < script.index("m_main = ")
    assert script.count("function one()") == 1
    assert "const { one: first } = m_a;" in script
    assert "return { one, two };" in script
    assert "await (async () => {" in script
    assert "Said." not in script


def test_code_on_the_line_of_a_comment_stays(tmp_path: Path) -> None:
    script = bundled(
        tmp_path,
        main="/** A. */ let a = 1;\n/** B. */\n"
        "/** C.\n */ export const c = 2;\nlet d = /* D. */ 3;\n",
    )
    assert "let a = 1;\nconst c = 2;\nlet d = /* D. */ 3;\n" in script
    assert "return { c };" in script


@pytest.mark.parametrize(
    "text", ["export default 1;\n", 'import * as all from "./a.js";\n', "export let x = 1;\n"]
)
def test_what_can_not_be_joined_is_named(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match=r"b\.js: "):
        bundled(tmp_path, a="let x = 1;\n", b=text)


def test_modules_in_a_circle_can_not_be_joined(tmp_path: Path) -> None:
    circle = {one: f'import {{ x }} from "./{other}.js";\n' for one, other in ("ab", "ba")}
    with pytest.raises(CycleError):
        bundled(tmp_path, **circle)


def test_what_is_edited_has_another_name(tmp_path: Path) -> None:
    file = tmp_path / "main.js"
    names = []
    for number in range(2):
        file.write_text(f"let x = {number};\n" + " " * number)
        os.utime(file, ns=(0, number))
        names.append(bundle_of({"main.js": file}, []).name)
    assert names[0] != names[1]
