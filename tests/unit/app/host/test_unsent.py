"""Messages that the browser has not been sent yet, where a part of the page runs again meanwhile."""

from attnviz_app.host.unsent import keep_unsent
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue


def said(text, part="", path=(0, 0)):
    message = ForwardMsg()
    message.delta.fragment_id = part
    message.delta.new_element.html.body = text
    message.metadata.delta_path.extend(path)
    return message


def ended(how):
    message = ForwardMsg()
    message.script_finished = how
    return message


def texts(messages):
    return [it.delta.new_element.html.body for it in messages if it.HasField("delta")]


def filled():
    keep_unsent()
    keep_unsent()  # every visitor's first run asks for it
    queue = ForwardMsgQueue()
    queue.enqueue(said("bar", path=(0, 0)))
    queue.enqueue(said("picture", part="one", path=(0, 1)))
    queue.enqueue(said("inside", part="two", path=(0, 2)))
    queue.enqueue(ended(ForwardMsg.FINISHED_SUCCESSFULLY))
    return queue


def test_a_part_that_runs_again_leaves_what_was_said_before_in_its_order():
    queue = filled()
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["one"])
    queue.enqueue(said("picture again", part="one", path=(0, 1)))
    messages = queue.flush()
    assert texts(messages) == ["bar", "picture", "inside", "picture again"]
    assert messages[3].script_finished == ForwardMsg.FINISHED_SUCCESSFULLY


def test_a_run_of_the_whole_page_takes_the_place_of_what_was_said_before():
    queue = filled()
    queue.clear(retain_lifecycle_msgs=True)
    (ending,) = queue.flush()
    assert ending.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
