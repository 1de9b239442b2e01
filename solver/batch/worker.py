"""A worker process: does one job after the other for the process that started it, and ends when that ends."""

import os
import pickle
import queue
import threading
from multiprocessing.connection import Connection

READY = "ready"
"""The first message of a worker: it has loaded what its jobs need."""


def main(descriptor: int) -> None:
    """Receive a function and then its arguments, one by one, and send back what it returns.

    Parameters
    ----------
    descriptor
        Of a socket to the parent. It is listened to all the time: when the parent ends, however it ends, the socket
        closes, and so does this process in the midst of its job.
    """
    connection = Connection(descriptor)
    messages: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(connection, messages), daemon=True).start()
    function = pickle.loads(messages.get())
    connection.send(READY)
    while True:
        job = pickle.loads(messages.get())
        connection.send(function(job))


def _listen(connection: Connection, messages: "queue.SimpleQueue[bytes]") -> None:
    try:
        while True:
            messages.put(connection.recv_bytes())
    except (EOFError, OSError):
        os._exit(0)
