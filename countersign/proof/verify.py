"""Verify a proof, or an attestation, offline: `python3 dev.py verify FILE`.

Exit codes: 0, all of it holds; 1, something is wrong, which is named; 2, nothing was checked: wrong
usage, a file that can't be read, or a Python without the packages that this takes; 3, the contents
are consistent, but without --key the signature was not checked, so that anyone can have made them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from countersign.proof.public_key import PublicKey

PROVEN, WRONG, USAGE, UNCHECKED = 0, 1, 2, 3

NEEDED = (
    "run `python3 dev.py verify FILE`, which installs the required packages, or with Python 3.10"
    " or newer first `python -m pip install -r requirements.txt`"
)


def main(argv: Sequence[str]) -> int:
    """Check one bundle, say what it proves or what is wrong, and return the exit code."""
    # Whoever checks takes the Python that is there, and its faults are none of the proof's.
    if sys.version_info < (3, 10):  # noqa: UP036
        return _said(USAGE, f"Python {sys.version.split()[0]} is too old: {NEEDED}.")
    try:
        return _checked(_arguments(argv))
    except ImportError as error:
        return _said(USAGE, f"A package is missing ({error}): {NEEDED}.")


def _checked(options: argparse.Namespace) -> int:
    # Imported here, so that wrong usage is told of at once, and a missing package by a sentence.
    from countersign.proof.anchors import read_anchors
    from countersign.proof.attested import is_attestation
    from countersign.proof.check import check
    from countersign.proof.errors import ProofFault
    from countersign.proof.findings import findings
    from countersign.proof.plain import plain

    # A name may have characters that the terminal has not.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue]
    try:
        bundle = _read(options.file)
        report = _read(options.report) if options.report else None
        if is_attestation(bundle):
            return _attested(bundle, options, report)
        anchors = read_anchors(_text(options.anchors)) if options.anchors else None
        proof = check(bundle, keys=options.key, report=report, anchors=anchors)
    except OSError as error:
        return _said(USAGE, plain(f"{error.filename} cannot be read: {error.strerror}."))
    except ProofFault as fault:
        return _said(WRONG, plain(f"{options.file} proves nothing: {fault}."))
    sys.stdout.writelines(f"{line}\n" for line in findings(proof))
    return PROVEN if proof.pinned else UNCHECKED


def _attested(envelope: bytes, options: argparse.Namespace, report: bytes | None) -> int:
    from countersign.proof.attested import attested, lines_about
    from countersign.proof.plain import plain

    if options.anchors:
        return _said(USAGE, "An attestation has no anchors; leave --anchors out.")
    attestation = attested(envelope, keys=options.key, report=report)
    sys.stdout.writelines(f"{plain(line)}\n" for line in lines_about(attestation))
    return PROVEN if attestation.pinned else UNCHECKED


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="verify", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE", help="the proof, or the attestation")
    parser.add_argument(
        "--key",
        type=_key,
        action="append",
        default=[],
        help="the public key that has to have signed it, in Base64, as /api/proof-key returns it;"
        " may be repeated, for example after a rotation",
    )
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="the published file: the report, or the JSON of the order",
    )
    parser.add_argument(
        "--anchors",
        type=Path,
        metavar="FILE",
        help="the anchors that `dev.py anchor` wrote, from where nobody can change them",
    )
    return parser.parse_args(argv)


def _key(text: str) -> PublicKey:
    from countersign.proof.public_key import public_key

    try:
        return public_key(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            "it is not a public key: 32 bytes in Base64, or the DER of a P-256 key"
        ) from None


def _read(file: Path) -> bytes:
    """Return the bytes of a file, or as many as are enough to see that it is too large."""
    from countersign.proof.bundle import MOST_BYTES

    with file.open("rb") as stream:
        return stream.read(MOST_BYTES + 1)


def _text(file: Path) -> str:
    return _read(file).decode("utf-8", errors="replace")


def _said(code: int, text: str) -> int:
    sys.stderr.write(f"{text}\n")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
