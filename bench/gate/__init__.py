"""The whole job, begun, waiting, decided and written, beside two that keep less of it."""
