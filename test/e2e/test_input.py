"""Bad settings and bad servers: one clear line each, and the right exit code; what is only unreachable isn't fatal."""

import base64
import json
import os
import pathlib
import socket
import subprocess
import tempfile
import unittest

import fleet as fleets
from api import SERVICE_EXPORTS, SLICES
from cluster import PROGRAM, free_port, token_of
from fixture import FerryTest
from objects import annotations, service_export_body, slice_body, verdict
from pki import Pki
from program import BINARY, kubeconfig
from wait import eventually


def run_once(*arguments, folder=None):
    """Runs the program to its end, which must come soon; nothing of our environment leads it anywhere."""
    environment = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "LANG")}
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=15, cwd=folder,
                          env=environment)


class Settings(unittest.TestCase):
    """No server is needed to find these."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sliceferry-settings-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        user = {"name": "u", "user": {"token": "t"}}
        self.good = {
            "apiVersion": "v1", "kind": "Config", "current-context": "main",
            "clusters": [{"name": "c", "cluster": {"server": f"https://127.0.0.1:{free_port()}"}}],
            "users": [user], "contexts": [{"name": "main", "context": {"cluster": "c", "user": "u"}}]}
        self.write("good", json.dumps(self.good))

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def config(self, member="name: m1", member_kubeconfig="good", hub="kubeconfig: good", more=""):
        text = (f"members:\n- {member}\n  kubeconfig: {member_kubeconfig}\nhub:\n  {hub}\n"
                f"listen: 127.0.0.1:{free_port()}\n{more}")
        return self.write("config.yaml", text)

    def refused(self, codes, *words, lines=1, command="run"):
        """Ends with one of the codes and so many lines, which hold the words."""
        ended = run_once(command, "--config", self.folder / "config.yaml", folder=self.folder)
        said = [line for line in ended.stderr.splitlines() if line.strip()]
        self.assertIn(ended.returncode, codes, ended.stderr + ended.stdout)
        self.assertEqual(len(said), lines, ended.stderr)
        for word in words:
            self.assertIn(word, ended.stderr)

    def test_good_settings(self):
        self.config()
        ended = run_once("check", "--config", self.folder / "config.yaml", folder=self.folder)
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_unknown_setting_with_line_and_nearest_name(self):
        self.config(more="lisen: 127.0.0.1:1\n")
        for command in ("run", "check"):
            self.refused((2,), "lisen", "listen", ":7", command=command)

    def test_invalid_member_name(self):
        self.config(member="name: Bad_Name")
        self.refused((2,), "Bad_Name")

    def test_all_errors_at_once(self):
        self.config(member="name: Bad_Name", hub="kubeconfig: good\n  qps: -1", more="log: {format: poem}\n")
        self.refused((2,), "Bad_Name", ":6:", "poem", lines=3)

    def test_missing_config_file(self):
        self.refused((1, 2), "config.yaml")

    def test_missing_kubeconfig(self):
        self.config(member_kubeconfig="nowhere")
        self.refused((1, 2), "nowhere")

    def test_broken_kubeconfig(self):
        self.write("broken", "clusters: [}\n")
        self.config(member_kubeconfig="broken")
        self.refused((1, 2), "broken")

    def test_unknown_context(self):
        self.config(hub="kubeconfig: good\n  context: elsewhere")
        self.refused((1, 2), "elsewhere")

    def with_cluster(self, **fields):
        entry = dict(self.good["clusters"][0]["cluster"], **fields)
        changed = dict(self.good, clusters=[{"name": "c", "cluster": entry}])
        self.write("other", json.dumps(changed))
        self.config(hub="kubeconfig: other")

    def test_certificate_file_missing(self):
        self.with_cluster(**{"certificate-authority": "nowhere.crt"})
        self.refused((1, 2), "nowhere.crt")

    def test_certificate_is_none(self):
        self.write("text.crt", "not a certificate\n")
        self.with_cluster(**{"certificate-authority": "text.crt"})
        self.refused((1, 2), "text.crt")

    def test_certificate_data_is_none(self):
        self.with_cluster(**{"certificate-authority-data": base64.b64encode(b"no certificate").decode()})
        self.refused((1, 2), "certificate")

    def test_port_in_use(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            self.config()
            path = self.folder / "config.yaml"
            text = path.read_text().splitlines()
            path.write_text("\n".join(f"listen: 127.0.0.1:{port}" if line.startswith("listen") else line
                                      for line in text) + "\n")
            ended = run_once("run", "--config", path, folder=self.folder)
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertEqual(len([line for line in ended.stderr.splitlines() if str(port) in line]), 1, ended.stderr)

    def test_command_line(self):
        self.assertRegex(run_once("version").stdout, r"\d+\.\d+")
        for arguments in (("--help",), ("run", "--help"), ("check", "--help")):
            ended = run_once(*arguments)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""))
            self.assertIn("sliceferry", ended.stdout)
        for arguments in ((), ("sail",), ("run", "--nonsense"), ("run",)):
            with self.subTest(arguments):
                ended = run_once(*arguments)
                self.assertNotEqual(ended.returncode, 0)
                self.assertTrue(ended.stderr.strip())


class Servers(FerryTest):
    """Not fatal: alive, not ready, says why, and goes on once it is put right."""

    def kept_waiting(self, words, **settings):
        program = self.configured(**settings).start()
        eventually(lambda: program.ask("/livez")[0] == 200, what="alive")

        def said():
            code, text = program.ask("/readyz")
            assert code == 503, f"{code}: {text}"
            self.assertRegex(text.lower(), words)
            return True

        eventually(said, what="readiness says why")
        self.assertTrue(program.alive())
        return program

    def test_wrong_ca(self):
        other = Pki(self.fleet.folder / f"{self.member}-pki", client="nobody")
        wrong = kubeconfig(self.fleet.hub, **{"certificate-authority": str(other.ca)})
        self.kept_waiting("certificate", hub_kubeconfig=wrong)

    def test_token_refused(self):
        program = self.kept_waiting("401|unauthorized", member_kubeconfig=kubeconfig(self.fleet.member, "wrong"))
        self.assertEqual(program.stop()[0], 0)

    def test_unreachable(self):
        nobody = kubeconfig(self.fleet.member, server=f"https://127.0.0.1:{free_port()}")
        self.kept_waiting("refused|unreachable|unavailable|connect", member_kubeconfig=nobody)

    def test_token_file_is_read_again(self):
        path = self.fleet.folder / f"{self.member}.token"
        path.write_text("wrong")
        config = kubeconfig(self.fleet.hub)
        config["users"][0]["user"] = {"tokenFile": str(path)}
        self.consent()
        self.slice("a")
        self.kept_waiting("401|unauthorized", hub_kubeconfig=config)
        path.write_text(token_of(PROGRAM) + "\n")
        self.exported("a", 40)

    def test_client_certificate_and_ca_data(self):
        config = kubeconfig(self.fleet.member)
        pki, cluster = self.fleet.pki, config["clusters"][0]["cluster"]
        cluster.pop("certificate-authority")
        cluster["certificate-authority-data"] = base64.b64encode(pki.ca.read_bytes()).decode()
        config["users"][0]["user"] = {"client-certificate": str(pki.client_cert),
                                      "client-key-data": base64.b64encode(pki.client_key.read_bytes()).decode()}
        self.consent()
        self.slice("a")
        self.start(member_kubeconfig=config)
        self.exported("a")


class Ways(FerryTest):
    """Other ways to say the same settings."""

    def test_flags(self):
        program = self.configured()
        program.arguments = ["--member-cluster", self.member, "--member-kubeconfig", str(program.folder / "member.kubeconfig"),
                             "--hub-kubeconfig", str(program.folder / "hub.kubeconfig"), "--hub-namespace", self.hub_ns,
                             "--listen", f"127.0.0.1:{program.port}", "--hub-qps", "100", "--hub-burst", "100",
                             "--member-qps", "100", "--member-burst", "100"]
        self.works(program)

    def test_environment_of_the_go_agent(self):
        program = self.configured()
        token = program.folder / "token"
        token.write_text(token_of(PROGRAM))
        program.environment = {
            "MEMBER_CLUSTER_NAME": self.member, "HUB_SERVER_URL": self.fleet.hub.url, "CONFIG_PATH": str(token),
            "HUB_CERTIFICATE_AUTHORITY": base64.b64encode(self.fleet.pki.ca.read_bytes()).decode()}
        program.arguments = ["--member-kubeconfig", str(program.folder / "member.kubeconfig"),
                             "--listen", f"127.0.0.1:{program.port}"]
        self.works(program)

    def works(self, program):
        self.consent()
        self.slice("a")
        program.start().wait_ready()
        self.exported("a")

    def test_two_members_in_one_process(self):
        other = fleets.battered()
        member, hub_ns = f"{self.member}b", f"fleet-member-{self.member}b"
        self.fleet.add_hub_namespace(hub_ns)
        other.add_member_namespace(self.ns)
        self.addCleanup(lambda: other.empty(self.ns, hub_ns))
        self.addCleanup(lambda: self.fleet.empty(self.ns, hub_ns))
        program = self.configured()
        second = program.folder / "second.kubeconfig"
        second.write_text(json.dumps(kubeconfig(other.member)))
        program.write_config({
            "members": [{"name": self.member, "kubeconfig": str(program.folder / "member.kubeconfig")},
                        {"name": member, "kubeconfig": str(second)}],
            "hub": {"kubeconfig": str(program.folder / "hub.kubeconfig")}, "listen": f"127.0.0.1:{program.port}"})
        program.start().wait_ready()
        self.consent()
        self.slice("a")
        self.exported("a")
        api = other.member.api()
        api.create(SERVICE_EXPORTS, self.ns, service_export_body("web"))
        api.patch(SERVICE_EXPORTS, self.ns, "web", verdict("True", "False"), "status")
        api.create(SLICES, self.ns, slice_body("a"))
        eventually(lambda: annotations(api.get(SLICES, self.ns, "a")), what="annotated in the other member")
        own, self.hub_ns = self.hub_ns, hub_ns
        exported = eventually(self.exports, what="exported from the other member")
        self.hub_ns = own
        self.hub_audit.mark()  # the other member's write was wanted
        self.assertEqual([one["spec"]["endpointSliceReference"]["clusterId"] for one in exported], [member])
