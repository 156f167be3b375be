"""A link between the network namespaces of two processes, with a delay and a rate: what goes into a
TUN device of one comes out of that of the other. It needs no traffic shaping of the kernel, which
not every kernel has.

    delayed_link.py <process> <address> <process> <address> <milliseconds one way> <bits a second>

Prints "up" when the link is there, and goes on until it is ended.
"""

import ctypes
import fcntl
import heapq
import os
import select
import struct
import subprocess
import sys
import time

CLONE_NEWNET = 0x40000000
TUNSETIFF = 0x400454CA
IFF_TUN_NO_PI = 0x1001
QUEUE = 500_000  # bytes that may wait for the rate; a router drops what is more


def open_device(process, address):
    """A device in the process's namespace, up; it stays there when this process goes elsewhere."""
    with open(f"/proc/{process}/ns/net") as namespace:
        if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"setns: {os.strerror(ctypes.get_errno())}")
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", b"link0", IFF_TUN_NO_PI))
    for command in ("link set lo up", f"address add {address}/24 dev link0", "link set link0 up"):
        subprocess.run(["ip", *command.split()], check=True)
    return device


def carry(devices, delay, rate):
    """Packets arrive `delay` seconds after the last of their bits could leave."""
    free = [0.0, 0.0]  # from when on each direction takes the next packet
    under_way = []  # (arrival, number, device, packet)
    number = 0
    while True:
        wait = max(0.0, under_way[0][0] - time.monotonic()) if under_way else None
        for device in select.select(devices, [], [], wait)[0]:
            side = devices.index(device)
            packet = os.read(device, 65536)
            now = time.monotonic()
            if (free[side] - now) * rate > 8 * QUEUE:
                continue
            free[side] = max(free[side], now) + 8 * len(packet) / rate
            number += 1
            heapq.heappush(under_way, (free[side] + delay, number, devices[1 - side], packet))
        while under_way and under_way[0][0] <= time.monotonic():
            _, _, device, packet = heapq.heappop(under_way)
            try:
                os.write(device, packet)
            except OSError:
                pass  # lost, as on any network; TCP sends it again


def main():
    first, first_address, second, second_address, milliseconds, bits = sys.argv[1:]
    devices = [open_device(first, first_address), open_device(second, second_address)]
    print("up", flush=True)
    carry(devices, float(milliseconds) * 1e-3, float(bits))


main()
