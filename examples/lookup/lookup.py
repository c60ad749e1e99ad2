"""Looks up a CEP: python lookup.py 01310-100"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

# The routes of ViaCEP, on your own server first.
SERVERS = [
    os.environ.get("CEP_URL", "http://localhost:8080"),
    os.environ.get("CEP_FALLBACK_URL", "https://viacep.com.br"),
]
SECONDS = 2


class InvalidCep(Exception):
    """A CEP has eight digits."""


def lookup(cep):
    """Returns the record of a CEP, None if it does not exist."""
    path = f"/ws/{urllib.parse.quote(cep, safe='')}/json/"
    last_error = None
    for server in SERVERS:
        try:
            record = json.loads(read(server + path))
            return None if "erro" in record else record
        except urllib.error.HTTPError as error:
            if error.code == 400:
                raise InvalidCep(f"CEP inválido: {cep}") from error
            last_error = error  # 429 or 5xx: ask the other server
        except (OSError, http.client.HTTPException, ValueError) as error:
            last_error = error  # down, too slow, or no JSON
    raise last_error


def read(url):
    """Reads an answer. The limit of urlopen is that of a single packet."""
    end = time.monotonic() + SECONDS
    body = b""
    with urllib.request.urlopen(url, timeout=SECONDS) as response:
        while chunk := response.read1():
            body += chunk
            if time.monotonic() > end:
                raise TimeoutError(f"Mais de {SECONDS} s: {url}")
    return body


if __name__ == "__main__":
    try:
        found = lookup(sys.argv[1])
    except (InvalidCep, OSError, http.client.HTTPException, ValueError) as error:
        sys.exit(str(error))
    if found is None:
        sys.exit("CEP não encontrado")
    print(f"{found['logradouro']}, {found['localidade']}/{found['uf']}")
