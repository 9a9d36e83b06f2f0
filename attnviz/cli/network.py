"""This machine in its network: where others find it, and where nobody listens yet."""

import argparse
import socket

from attnviz.core.errors import AttnvizError

FIRST_PORT = 8501


def is_taken(port: int) -> bool:
    """Whether something listens there on this machine."""
    with socket.socket() as tried:
        tried.settimeout(1)
        return tried.connect_ex(("127.0.0.1", port)) == 0


def port_number(typed: str) -> int:
    """What --port takes, for argparse."""
    if not (typed.isdecimal() and 1 <= int(typed) <= 65535):
        raise argparse.ArgumentTypeError(f"a port is a number from 1 to 65535, not {typed!r}")
    return int(typed)


def check_free(port: int) -> None:
    """Refuse a port where something listens already."""
    if is_taken(port):
        raise AttnvizError(id="port-taken", port=str(port))


def free_port() -> int:
    """The first port from the dashboard's own on that nobody listens at."""
    return next(port for port in range(FIRST_PORT, 65536) if not is_taken(port))


def network_address() -> str:
    """This machine's address in its network, or localhost without one; asking for the way to another sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(("192.0.2.1", 9))
            name: str = way.getsockname()[0]
        except OSError:
            return "localhost"
    return name
