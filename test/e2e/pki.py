"""A throw-away certificate authority for servers on 127.0.0.1, made with the openssl program."""

import pathlib
import subprocess


def _openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


class Pki:
    """`ca`: what clients trust; `cert` and `key`: a server whose only name is the IP SAN 127.0.0.1;
    `client_cert`, `client_key`: a client certificate of the user named at construction."""

    def __init__(self, folder, client):
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        self.ca, ca_key = folder / "ca.crt", folder / "ca.key"
        self.cert, self.key = folder / "server.crt", folder / "server.key"
        self.client_cert, self.client_key = folder / "client.crt", folder / "client.key"
        self.service_account_key = folder / "sa.key"
        self._authority(ca_key)
        self._sign(ca_key, "/CN=kube-apiserver", "subjectAltName=IP:127.0.0.1", self.cert, self.key)
        self._sign(ca_key, f"/CN={client}", "extendedKeyUsage=clientAuth", self.client_cert, self.client_key)
        _openssl("genrsa", "-out", self.service_account_key, "2048")

    def _authority(self, ca_key):
        _openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
                 "-subj", "/CN=e2e authority", "-keyout", ca_key, "-out", self.ca)

    def _sign(self, ca_key, subject, extension, cert, key):
        request, extensions = cert.with_suffix(".csr"), cert.with_suffix(".ext")
        extensions.write_text(extension + "\n")
        _openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", subject,
                 "-keyout", key, "-out", request)
        _openssl("x509", "-req", "-in", request, "-CA", self.ca, "-CAkey", ca_key, "-CAcreateserial", "-days", "30",
                 "-extfile", extensions, "-out", cert)
