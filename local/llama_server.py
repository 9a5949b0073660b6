"""The process of a model's server: `python -m local.llama_server MODEL.gguf --port N`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

KEY = "LLAMA_SERVER_KEY"
"""The variable with the key that callers have to show; a command line can be read by others."""

SERVER = "LLAMA_SERVER_FOLDER"
"""The variable with the folder that xllamacpp is installed in."""

_WARNINGS = 2

TEMPERATURE = 0.2
"""Low, for quotes are to be copied; not nothing, for then a small model repeats itself for ever."""

CONTEXT_TOKENS = 16_384
"""What a question and its answer may take together. The whole of it is kept in memory."""


def main() -> int:
    """Serve one model until a signal ends it."""
    parser = argparse.ArgumentParser(prog="local.llama_server", description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--port", type=int, required=True)
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    server = _serve(args.model, args.port)
    print(f"The model is served at {server.listening_address}.", flush=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        # Its threads are in the middle of an answer that nobody waits for.
        os._exit(0)
    return 0


def _serve(model: str, port: int) -> Any:
    sys.path.insert(0, os.environ[SERVER])
    import xllamacpp  # type: ignore[import-not-found]

    parameters = xllamacpp.CommonParams()
    parameters.model.path = model
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = port
    parameters.api_keys = [os.environ[KEY]]
    parameters.model_alias = {Path(model).stem}
    parameters.n_ctx = CONTEXT_TOKENS
    # Two answers at a time would each take twice as long, and leave each half the context.
    parameters.n_parallel = 1
    # One core is the app's. The threads wait for each other: none goes on where one gets no time.
    threads = max(1, (os.cpu_count() or 1) - 1)
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    parameters.sampling.temp = TEMPERATURE
    parameters.offline = True
    parameters.ui = False
    parameters.endpoint_slots = False
    parameters.verbosity = _WARNINGS
    return xllamacpp.Server(parameters)


if __name__ == "__main__":
    sys.exit(main())
