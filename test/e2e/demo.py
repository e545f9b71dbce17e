#!/usr/bin/python3
"""./dev demo: two real API servers and the program between them; ends by itself with a verdict."""

import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import assets  # noqa: E402 (after the path)
import oracle  # noqa: E402
from api import EXPORTS, SERVICE_EXPORTS, SLICES  # noqa: E402
from audit import Audit  # noqa: E402
from cluster import ADMIN, PROGRAM  # noqa: E402
from fleet import Fleet  # noqa: E402
from objects import NAME, annotations, endpoint, service_export_body, slice_body, verdict  # noqa: E402
from program import BINARY, Program  # noqa: E402
from wait import TooLate, eventually, paced  # noqa: E402

NS, MEMBER, HUB_NS = "shop", "harbour", "fleet-member-harbour"
SERVICES, EACH = 20, 10
TERMINAL = sys.stdout.isatty()


def paint(code, text):
    return f"\033[{code}m{text}\033[0m" if TERMINAL else text


def title(number, text):
    print(f"\n{paint('1;36', f'{number}  {text}')}", flush=True)


def told(text):
    print(f"   {text}", flush=True)


def bar(done, of):
    """One line that fills up; on anything but a terminal only its end is printed."""
    if TERMINAL or done == of:
        full = done * 40 // of
        print(f"\r   {'█' * full}{'░' * (40 - full)} {done}/{of} exports on the hub", end="" if done < of else "\n", flush=True)


class Demo:
    """The five acts. Times come from the servers' audit logs: acknowledged to the user → acknowledged to the program."""

    def __init__(self, fleet):
        self.fleet, self.member, self.hub = fleet, fleet.member.api(), fleet.hub.api()
        self.member_audit, self.hub_audit = Audit(fleet.member), Audit(fleet.hub)
        fleet.add_member_namespace(NS)
        fleet.add_hub_namespace(HUB_NS)
        self.program = Program(fleet, fleet.folder / "program", MEMBER)

    def exports(self):
        return self.hub.list(EXPORTS, HUB_NS)

    def in_sync(self):
        def right():
            faults = oracle.differences(self.member.list(SLICES, NS), self.member.list(SERVICE_EXPORTS, NS),
                                        self.exports(), MEMBER)
            assert not faults, faults[0]
            return True

        eventually(right, 20, "hub as it must be")

    def consent(self, service, valid="True"):
        self.member.patch(SERVICE_EXPORTS, NS, service, verdict(valid, "False"), "status")

    def marked(self):
        self.member_audit.mark(), self.hub_audit.mark()

    def ended(self, audit, user, verb, name=None):
        """When the server had answered the first such request, and the last."""
        times = [one.ended for one in audit.entries(user, verb) if name is None or one.name == name]
        return min(times), max(times)

    def start(self):
        began = time.monotonic()
        self.program.start().wait_ready()
        told(f"sliceferry is ready after {(time.monotonic() - began) * 1000:.0f} ms; member {MEMBER}, hub namespace {HUB_NS}")

    def act_export(self):
        title(1, f"{SERVICES * EACH} slices of {SERVICES} exported Services are created on the member")
        for number in range(SERVICES):
            self.member.create(SERVICE_EXPORTS, NS, service_export_body(f"service-{number}"))
            self.consent(f"service-{number}")
        self.marked()
        cpu = self.program.cpu_s()
        total = SERVICES * EACH
        for index in paced(total, 0.005):
            service = f"service-{index % SERVICES}"
            addresses = (f"10.1.{index}.1", f"10.1.{index}.2")
            self.member.create(SLICES, NS, slice_body(f"{service}-{index // SERVICES}", service, addresses))
            if index % 20 == 19 and index + 1 < total:
                bar(len(self.exports()), total)
        self.in_sync()
        bar(len(self.exports()), total)
        cpu = (self.program.cpu_s() - cpu) / total * 1e6
        created = {one.name: one.ended for one in self.member_audit.entries(ADMIN, "create", resource="endpointslices")}
        there = {one.body["spec"]["endpointSliceReference"]["name"]: one.ended
                 for one in self.hub_audit.entries(PROGRAM, "create")}
        took = sorted((there[name] - created[name]) * 1000 for name in created)
        told(f"slice created -> export on the hub: p50 {paint('1', f'{statistics.median(took):.1f} ms')}, "
             f"p99 {paint('1', f'{took[int(total * 0.99)]:.1f} ms')}; CPU of sliceferry {cpu:.0f} us each")
        told(f"requests it took: {len(self.member_audit.writes(PROGRAM))} to the member, "
             f"{len(self.hub_audit.writes(PROGRAM))} to the hub")

    def act_change(self):
        title(2, "A pod is replaced: one endpoint of service-7-3 changes")
        self.marked()
        self.member.patch(SLICES, NS, "service-7-3", {"endpoints": [endpoint("10.1.67.1"), endpoint("10.9.9.9")]})
        self.in_sync()
        name = annotations(self.member.get(SLICES, NS, "service-7-3"))[NAME]
        took = self.ended(self.hub_audit, PROGRAM, "patch", name)[0] - self.ended(self.member_audit, ADMIN, "patch")[0]
        addresses = [one["addresses"][0] for one in self.hub.get(EXPORTS, HUB_NS, name)["spec"]["endpoints"]]
        told(f"{name} on the hub: {', '.join(addresses)}")
        told(f"the change was there after {paint('1', f'{took * 1000:.1f} ms')}")

    def act_withdraw(self):
        title(3, "Consent is withdrawn: the ServiceExport of service-4 becomes invalid")
        self.marked()
        self.consent("service-4", "False")
        self.in_sync()
        left = len(self.exports())
        first = self.ended(self.member_audit, ADMIN, "patch")[0]
        took = self.ended(self.hub_audit, PROGRAM, "delete")[1] - first
        told(f"its {EACH} exports were deleted within {paint('1', f'{took * 1000:.1f} ms')}; {left} are left, "
             "and its slices carry no annotation of ours")

    def act_delete(self):
        title(4, "A slice is deleted: service-12-0")
        name = annotations(self.member.get(SLICES, NS, "service-12-0"))[NAME]
        self.marked()
        self.member.delete(SLICES, NS, "service-12-0")
        self.in_sync()
        took = self.ended(self.hub_audit, PROGRAM, "delete", name)[0] - self.ended(self.member_audit, ADMIN, "delete")[0]
        told(f"{name} was deleted after {paint('1', f'{took * 1000:.1f} ms')}")

    def act_restart(self):
        title(5, "The program is killed; while it is down a slice goes and another comes; it starts again")
        self.program.kill()
        self.member.delete(SLICES, NS, "service-0-0")
        self.member.create(SLICES, NS, slice_body("service-0-new", "service-0", ("10.1.200.1",)))
        self.marked()
        self.start()
        self.in_sync()
        member, hub = self.member_audit.count(PROGRAM), self.hub_audit.count(PROGRAM)
        kind = "endpointsliceexports"
        assert member == {("patch", "endpointslices"): 1}, member
        assert hub == {("create", kind): 1, ("delete", kind): 1}, hub
        told("right again, with three writes: the new slice annotated and exported, the old export deleted")

    def play(self):
        self.start()
        for act in (self.act_export, self.act_change, self.act_withdraw, self.act_delete, self.act_restart):
            act()
        code, _ = self.program.stop()
        assert code == 0, f"sliceferry ended with exit code {code}"
        return len(self.exports())


def main():
    if not BINARY.exists():
        print(f"{BINARY} is not built: ./dev build", file=sys.stderr)
        return 1
    try:
        assets.obtain()
    except assets.Missing as missing:
        print(f"no demo: {missing}", file=sys.stderr)
        return 3
    print(paint("1", "sliceferry between two real API servers"))
    began = time.monotonic()
    fleet = Fleet()
    demo = None
    try:
        told(f"kube-apiserver for a member and a hub, one etcd: up in {time.monotonic() - began:.1f} s")
        demo = Demo(fleet)
        left = demo.play()
        print(f"\n{paint('1;32', 'all right')}: the hub holds exactly the {left} exports that it must "
              f"({time.monotonic() - began:.0f} s)")
        return 0
    except (AssertionError, TooLate, KeyError, ValueError) as error:
        print(f"\n{paint('1;31', 'not right')}: {error!r}")
        if demo:
            print(demo.program.tail())
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        if demo:
            demo.program.kill()
        fleet.stop()


if __name__ == "__main__":
    sys.exit(main())
