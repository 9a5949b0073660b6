from __future__ import annotations

import itertools
import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import closing
from pathlib import Path

import pytest

from countersign.platform.file_lock import file_lock
from countersign.sources import quarantine
from countersign.sources.folder import FolderLibrary
from countersign.sources.folder_index import SkippedFile, some_of
from countersign.sources.library import MissingFolder, UnknownSource, UnusableIndex
from testbed.cost import times_as_much

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    folder.mkdir()
    return folder


@pytest.fixture
def library(folder: Path, tmp_path: Path) -> FolderLibrary:
    return FolderLibrary(folder, tmp_path / "data" / "index.db")


def found(library: FolderLibrary, query: str) -> list[str]:
    return [passage.source.id for passage in library.search(query)]


def test_documents_are_found_by_their_words(folder: Path, library: FolderLibrary) -> None:
    (folder / "bees.md").write_text("# Bees\n\nBees dance.")
    (folder / "ants.txt").write_text("Ants march in columns.")
    (folder / "wasps.html").write_text("<title>Wasps</title><p>Wasps <b>sting</b>.</p>")
    assert found(library, "marching ants") == ["ants.txt"]
    assert found(library, "sting") == ["wasps.html"]
    assert library.titles() == ["ants", "Bees", "Wasps"]


def test_a_passage_is_a_slice_of_its_source(folder: Path, library: FolderLibrary) -> None:
    paragraphs = (f"Paragraph {number} on bees. " * 20 for number in range(50))
    (folder / "bees.txt").write_text("\n\n".join(paragraphs))
    passages = library.search("bees")
    assert len(passages) == 8
    assert all(passage.text in library.text("bees.txt") for passage in passages)


def test_changes_show_in_the_next_search(folder: Path, library: FolderLibrary) -> None:
    note = folder / "note.txt"
    note.write_text("All about bees.")
    assert found(library, "bees") == ["note.txt"]
    note.write_text("All about wasps and their nests.")
    (folder / "new.txt").write_text("More about bees.")
    assert found(library, "bees") == ["new.txt"]
    assert found(library, "wasps") == ["note.txt"]
    note.unlink()
    assert found(library, "wasps") == []
    with pytest.raises(UnknownSource):
        library.text("note.txt")


def test_only_what_changed_is_read_again(
    folder: Path, library: FolderLibrary, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "bad.txt").write_bytes(b"\xff\xfe\x00\xd8")
    library.search("bees")
    library.search("bees")
    assert caplog.text.count("bad.txt") == 1


def test_another_library_on_the_same_index_sees_the_same(
    folder: Path, library: FolderLibrary, tmp_path: Path
) -> None:
    (folder / "bees.txt").write_text("Bees dance.")
    library.search("bees")
    again = FolderLibrary(folder, tmp_path / "data" / "index.db")
    assert again.text("bees.txt") == "Bees dance."
    assert again.source("bees.txt").title == "bees"


def test_a_text_is_there_without_a_search_before(folder: Path, library: FolderLibrary) -> None:
    (folder / "bees.txt").write_text("Bees dance.")
    assert library.text("bees.txt") == "Bees dance."


@pytest.mark.parametrize(
    "data",
    [
        b"Bees\x00dance and so on.",  # binary
        "Bienen tanzen f\u00fcr andere.".encode("latin-1"),  # another encoding
        b"bees " * 1_100_000,  # too large
    ],
)
def test_what_is_no_readable_text_is_skipped_and_logged(
    folder: Path, library: FolderLibrary, data: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "odd.txt").write_bytes(data)
    (folder / "bees.txt").write_text("Bees dance.")
    assert found(library, "bees") == ["bees.txt"]
    assert "'odd.txt' is left out" in caplog.text


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0,
    reason="root may read every file; run the tests as an ordinary user to include this",
)
def test_a_file_without_permission_is_skipped(folder: Path, library: FolderLibrary) -> None:
    (folder / "secret.txt").write_text("Bees dance.")
    (folder / "secret.txt").chmod(0)
    assert found(library, "bees") == []


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_a_link_that_leaves_the_folder_is_not_followed(
    folder: Path, library: FolderLibrary, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("The secret of the bees.")
    (folder / "file.txt").symlink_to(outside / "secret.txt")
    (folder / "folder").symlink_to(outside)
    (folder / "broken.txt").symlink_to(tmp_path / "nowhere")
    (folder / "loop.txt").symlink_to(folder / "loop.txt")
    (folder / "bees.txt").write_text("Bees dance.")
    (folder / "inside.txt").symlink_to(folder / "bees.txt")
    assert found(library, "bees") == ["bees.txt", "inside.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders")
def test_a_pipe_does_not_make_it_wait(folder: Path, library: FolderLibrary) -> None:
    os.mkfifo(folder / "pipe.txt")
    assert found(library, "bees") == []


def test_hidden_and_other_files_are_left_out(folder: Path, library: FolderLibrary) -> None:
    for name in (".hidden.md", "bees.exe", "bees.py"):
        (folder / name).write_text("Bees dance.")
    assert library.titles() == []


def test_odd_names_get_safe_ids_that_stay(folder: Path, library: FolderLibrary) -> None:
    (folder / "sub").mkdir()
    for name in (
        "a b.txt",
        "a-b (1).txt",
        "\u8702.txt",
        "sub/bees.txt",
        "bees.txt",
        "x" * 99 + ".txt",
    ):
        (folder / name).write_text("Bees dance.")
    ids = sorted(found(library, "bees"))
    assert len(set(ids)) == 6
    assert all(each.isascii() and len(each) <= 64 and "/" not in each for each in ids)
    (folder / "bees.txt").unlink()
    assert set(found(library, "bees")) < set(ids)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    library = FolderLibrary(tmp_path / "gone", tmp_path / "index.db")
    with pytest.raises(MissingFolder, match="gone"):
        library.search("bees")


def test_an_index_that_is_none_is_made_anew(folder: Path, tmp_path: Path) -> None:
    (folder / "bees.txt").write_text("Bees dance.")
    index = tmp_path / "index.db"
    index.write_bytes(b"this is no database at all, " * 50)
    assert found(FolderLibrary(folder, index), "bees") == ["bees.txt"]


def test_an_index_of_another_version_is_made_anew(folder: Path, tmp_path: Path) -> None:
    (folder / "bees.txt").write_text("Bees dance.")
    with closing(sqlite3.connect(tmp_path / "index.db")) as other:
        other.execute("PRAGMA user_version = 99")
    assert found(FolderLibrary(folder, tmp_path / "index.db"), "bees") == ["bees.txt"]


def test_an_index_file_that_cannot_be_is_named(folder: Path, tmp_path: Path) -> None:
    (folder / "bees.txt").write_text("Bees dance.")
    (tmp_path / "index.db").mkdir()
    with pytest.raises(UnusableIndex, match=r"index\.db"):
        FolderLibrary(folder, tmp_path / "index.db").search("bees")


def test_several_processes_and_threads_may_open_it_at_once(folder: Path, tmp_path: Path) -> None:
    for number in range(40):
        (folder / f"{number}.txt").write_text(f"Bees dance in hive {number}. " * 200)
    index = tmp_path / "index.db"
    script = (
        "import sys; from pathlib import Path\n"
        "from countersign.sources.folder import FolderLibrary\n"
        "library = FolderLibrary(Path(sys.argv[1]), Path(sys.argv[2]))\n"
        "print(len(library.search('bees dance')), len(library.titles()))"
    )
    command = [sys.executable, "-c", script, str(folder), str(index)]
    running = [
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    library = FolderLibrary(folder, index)
    with ThreadPoolExecutor(4) as threads:
        counts = list(threads.map(lambda _: len(library.search("bees dance")), range(8)))
    assert counts == [8] * 8
    assert [process.communicate(timeout=60)[0] for process in running] == ["8 40\n"] * 3


def test_what_is_indexed_is_searched_without_reading_it_again(
    folder: Path, library: FolderLibrary, tmp_path: Path
) -> None:
    for number in range(40):
        words = (f"word{(number * 7919 + place) % 4999}" for place in range(20_000))
        (folder / f"{number}.txt").write_text("\n\n".join(" ".join(words).split(" word1 ")))
    numbers = itertools.count()

    def index_and_search() -> None:
        anew = FolderLibrary(folder, tmp_path / f"{next(numbers)}.db")
        assert anew.search("word17 word42")

    assert library.search("word17 word42")
    assert times_as_much(index_and_search, lambda: library.search("word17 word42")) > 10


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_name_that_is_no_text_stops_nothing(folder: Path, library: FolderLibrary) -> None:
    (folder / "bees.txt").write_text("Bees dance.")
    with (folder / os.fsdecode(b"na\xff\xfeme.txt")).open("w") as odd:
        odd.write("Odd bees.")
    [odd_one] = [passage.source for passage in library.search("odd")]
    assert odd_one.title == "na\ufffd\ufffdme"
    assert library.text(odd_one.id) == "Odd bees."


def test_what_can_not_be_read_is_named_with_the_reason(
    folder: Path, library: FolderLibrary, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "bees.txt").write_text("Bees dance.")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4\nnothing")
    with (folder / "huge.md").open("wb") as huge:
        huge.truncate(6_000_000_000)
    assert found(library, "bees") == ["bees.txt"]
    left_out = {each.name: each.reason for each in library.left_out()}
    assert left_out == {
        "broken.pdf": "it is no PDF, or a damaged one",
        "huge.md": "it has 6,000,000,000 bytes: at most 20,000,000 are read",
    }
    assert all(name in caplog.text for name in left_out)
    (folder / "broken.pdf").unlink()
    library.search("bees")
    assert [each.name for each in library.left_out()] == ["huge.md"]


def test_a_file_that_takes_too_long_is_left_out_and_the_next_are_read(
    folder: Path, library: FolderLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("countersign.sources.folder.LONGEST_SECONDS", 8)
    (folder / "a-slow.md").write_bytes(b"![[" * 1_000_000)
    (folder / "bees.txt").write_text("Bees dance.")
    assert found(library, "bees") == ["bees.txt"]
    assert [each.reason for each in library.left_out()] == [quarantine.TOO_SLOW]


def test_a_search_does_not_wait_for_all_new_files_and_the_next_goes_on(
    folder: Path, library: FolderLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("countersign.sources.folder.LONGEST_LOOK_SECONDS", 0)
    (folder / "a-long.txt").write_text("Bees dance. " * 99)
    (folder / "b-short.txt").write_text("Bees dance.")
    (folder / "c-longer.txt").write_text("Bees dance. " * 999)
    assert found(library, "bees") == ["b-short.txt"]
    [waiting] = library.left_out()
    assert (waiting.name, waiting.reason.partition(";")[0]) == ("2 files", "not read yet")
    assert len(library.titles()) == 2
    assert len(library.titles()) == 3
    assert library.left_out() == []


def test_while_another_process_reads_the_files_what_it_has_read_is_searched(
    folder: Path, library: FolderLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "bees.txt").write_text("Bees dance.")
    library.search("bees")
    (folder / "new.txt").write_text("New bees.")
    monkeypatch.setattr("countersign.sources.folder.LONGEST_LOOK_SECONDS", 0.05)
    with file_lock(tmp_path / "data" / "index.db-turn", 60):
        assert found(library, "bees") == ["bees.txt"]
        assert [each.name for each in library.left_out()] == ["1 file"]
    assert set(found(library, "bees")) == {"bees.txt", "new.txt"}


def test_what_is_beyond_the_most_files_is_said_to_be_left_out(
    folder: Path, library: FolderLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("files", "folder"):
        monkeypatch.setattr(f"countersign.sources.{module}.MOST_FILES", 2)
    for name in ("a", "b", "c"):
        (folder / f"{name}.txt").write_text("Bees dance.")
    assert set(found(library, "bees")) == {"a.txt", "b.txt"}
    assert [each.reason for each in library.left_out()] == ["a library can have at most 2 files"]
    (folder / "b.txt").unlink()
    assert set(found(library, "bees")) == {"a.txt", "c.txt"}
    assert library.left_out() == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such long paths")
def test_folders_are_followed_however_deep(folder: Path, library: FolderLibrary) -> None:
    (folder / "bees.txt").write_text("Bees dance.")
    nested = [folder / "/".join("d" * depth) for depth in range(1, 1_500)]
    for each in nested:
        each.mkdir()
    ants = nested[-1] / "ants.txt"
    ants.write_text("Ants march.")
    try:
        assert len(found(library, "ants march")) == 1
        assert found(library, "bees") == ["bees.txt"]
    finally:  # Python itself removes no folder that is so deep.
        ants.unlink()
        for each in reversed(nested):
            each.rmdir()


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file.txt"
    file.write_text("Bees dance.")
    with pytest.raises(MissingFolder, match=r"file\.txt"):
        FolderLibrary(file, tmp_path / "index.db").search("bees")


def test_whoever_asks_what_is_left_out_waits_for_nobody(
    folder: Path, library: FolderLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.search("bees")
    monkeypatch.setattr("countersign.sources.folder.BRIEF_SECONDS", 0.05)
    with closing(sqlite3.connect(tmp_path / "data" / "index.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(UnusableIndex, match="locked"):
            library.left_out()


def test_of_many_files_that_are_left_out_the_first_are_named_and_the_rest_counted() -> None:
    left_out = [SkippedFile(name=f"{number}.pdf", reason="damaged") for number in range(1_300)]
    assert some_of(left_out[:20], 20) == left_out[:20]
    *named, last = some_of(left_out, 20)
    assert named == left_out[:19]
    assert (last.name, last.reason) == ("1,281 more files", "see the host's log")


def test_an_index_that_another_process_writes_is_waited_for(
    folder: Path, library: FolderLibrary, tmp_path: Path
) -> None:
    (folder / "bees.txt").write_text("Bees dance.")
    library.search("bees")
    index = tmp_path / "data" / "index.db"
    with closing(sqlite3.connect(index, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with ThreadPoolExecutor(1) as threads:
            search = threads.submit(library.search, "bees")
            with pytest.raises(FutureTimeout):
                search.result(timeout=0.5)
            other.execute("ROLLBACK")
            assert len(search.result(timeout=60)) == 1


def test_thousands_of_files_are_taken_in_and_followed(folder: Path, library: FolderLibrary) -> None:
    for number in range(3_000):
        (folder / f"{number}.txt").write_text(f"Bees dance in hive {number}.")
    assert found(library, "2718") == ["2718.txt"]
    (folder / "2718.txt").unlink()
    assert found(library, "2718") == []
    assert len(library.titles()) == 2_999
