"""The claims, measured: `make bench`. Each file measures one claim and returns rows; nothing here fails on time."""
