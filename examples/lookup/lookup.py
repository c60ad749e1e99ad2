"""Looks up a CEP: python lookup.py 01310-100"""

import json
import os
import sys
import urllib.error
import urllib.request

# The routes of ViaCEP, on your own server first.
SERVERS = [
    os.environ.get("CEP_URL", "http://localhost:8080"),
    os.environ.get("CEP_FALLBACK_URL", "https://viacep.com.br"),
]
SECONDS = 2


def lookup(cep):
    """Returns the record of a CEP, None if it does not exist."""
    last_error = None
    for server in SERVERS:
        try:
            url = f"{server}/ws/{cep}/json/"
            with urllib.request.urlopen(url, timeout=SECONDS) as response:
                record = json.load(response)
            return None if record.get("erro") else record
        except urllib.error.HTTPError as error:
            if error.code == 400:
                raise ValueError(f"CEP inválido: {cep}") from error
            last_error = error  # 429 or 5xx: ask the other server
        except OSError as error:
            last_error = error  # down, or too slow
    raise last_error


if __name__ == "__main__":
    record = lookup(sys.argv[1])
    if record is None:
        sys.exit("CEP não encontrado")
    print(f"{record['logradouro']}, {record['localidade']}/{record['uf']}")
