"""What the program says about itself: probes, figures and log lines."""

import json

from fixture import FerryTest
from objects import endpoint
from wait import eventually


class Admin(FerryTest):
    def setUp(self):
        super().setUp()
        self.program = self.start()
        self.consent()
        self.slice("a")
        self.slice("ignored", "no-consent")
        self.exported("a")

    def test_probes(self):
        self.assertEqual(self.program.ask("/livez")[0], 200)
        code, text = self.program.ask("/readyz")
        self.assertEqual(code, 200)
        for word in (self.member, "endpointslices", "serviceexports"):
            self.assertIn(word, text)
        self.assertEqual(self.program.ask("/nothing")[0], 404)

    def figure(self, pattern, value):
        def right():
            found = self.program.metric_sum(pattern)
            assert found == value, f"{pattern} is {found}, not {value}"
            return True

        eventually(right, 10, pattern)

    def test_figures(self):
        self.figure('^sliceferry_exports{.*state="exported"', 1)
        self.figure("^sliceferry_propagation_duration_seconds_count", 1)
        self.figure('^sliceferry_requests_total{.*verb="PATCH"', 1)
        self.figure('^sliceferry_requests_total{code="201".*verb="POST"', 1)
        self.figure("^sliceferry_queue_depth", 0)
        self.figure("^sliceferry_limiter_waits_total", 0)
        self.figure('^sliceferry_exporters{.*state="awake"', 0)
        found = self.program.metrics()
        for name in ("process_resident_memory_bytes", "process_cpu_seconds_total", "process_open_fds"):
            self.assertGreaterEqual(found[name], 0)
        self.consent(valid="False")
        self.withdrawn("a")
        self.figure('^sliceferry_exports{.*state="exported"', 0)

    def test_one_log_line_per_export_change_and_withdrawal(self):
        name = self.name_of("a")
        self.change("a", {"endpoints": [endpoint("10.1.0.2")]})
        eventually(lambda: self.export(name)["spec"]["endpointSliceReference"]["generation"] == 2, what="changed")
        self.consent(valid="False")
        self.withdrawn("a")
        self.assertEqual(self.program.stop()[0], 0)
        lines = [json.loads(line) for line in self.program.log.read_text().splitlines()]
        about = [line for line in lines if line.get("name") == "a" and line["level"] == "info"]
        self.assertEqual(len(about), 3, about)
        for line in about:
            self.assertEqual((line["member"], line["namespace"], line["unique_name"]), (self.member, self.ns, name))
            self.assertTrue(line["reason"])
        self.assertFalse([line for line in lines if line["level"] in ("warning", "error")], "nothing went wrong")
