"""Many visitors where one forward pass runs and one may wait: each gets a picture or a sentence, none is cut off."""

import asyncio

from benchmarks.people import Person
from tests.browser.live import Server, serve

VISITORS = 40
LONG = "and the cat of visitor {} sat down on the mat " * 20


async def visit(server: Server, name: int) -> bool:
    """Whether the visitor was told that the server is busy."""
    person = await Person.arrive(server, name)  # while the model is loaded
    await person.type_sentence(LONG.format(*[name] * 20).strip())
    was_refused = person.is_refused
    await person.type_sentence(f"Visitor {name} tries again.")
    await person.socket.close()
    return was_refused


def test_a_full_server_answers_everybody():
    async def crowd(server: Server) -> list[bool]:
        return await asyncio.gather(*(visit(server, name) for name in range(VISITORS)))

    environment = {"ATTNVIZ_MODE": "hosted", "ATTNVIZ_WORKERS": "1", "ATTNVIZ_QUEUE_LENGTH": "1"}
    with serve(environment=environment) as server:
        refused = asyncio.run(crowd(server))
    assert 0 < sum(refused) < VISITORS
