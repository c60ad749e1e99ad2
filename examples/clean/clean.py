"""Adds CEPs to a table of addresses: python clean.py < enderecos.csv > ceps.csv

The table is UTF-8, with commas or semicolons. Its columns endereco, logradouro,
numero, complemento, bairro, cidade, uf and cep are sent, those that it has. Rows
go out in groups, so that a table of any size fits into memory.
"""

import csv
import itertools
import json
import os
import sys
import urllib.request

URL = os.environ.get("CEP_URL", "http://localhost:8080") + "/enderecos"
PARTS = ["endereco", "logradouro", "numero", "complemento", "bairro", "cidade",
         "uf", "cep"]
ROWS = 250  # count as one request


def match(rows):
    """Returns the answer to each row, in order."""
    addresses = [{part: row[part] for part in PARTS if row.get(part)}
                 for row in rows]
    lines = "\n".join(json.dumps(address) for address in addresses)
    request = urllib.request.Request(URL, lines.encode(), {
        "Content-Type": "application/x-ndjson",
    })
    with urllib.request.urlopen(request, timeout=60) as response:
        return [json.loads(line) for line in response]


def main():
    sys.stdin.reconfigure(encoding="utf-8-sig")
    sys.stdout.reconfigure(encoding="utf-8")
    header = sys.stdin.readline()
    delimiter = ";" if header.count(";") > header.count(",") else ","
    table = csv.DictReader(itertools.chain([header], sys.stdin),
                           delimiter=delimiter)
    if not set(PARTS) & set(table.fieldnames or []):
        sys.exit(f"Nenhuma coluna se chama {', '.join(PARTS)}")
    added = ["cep_encontrado", "pontuacao", "conferir"]
    output = csv.DictWriter(sys.stdout, [*table.fieldnames, *added],
                            delimiter=delimiter)
    output.writeheader()
    while rows := list(itertools.islice(table, ROWS)):
        answers = match(rows)
        if len(answers) != len(rows):  # e.g. the rate limit
            sys.exit(f"Só {len(answers)} de {len(rows)} linhas: {answers[-1]}")
        for row, answer in zip(rows, answers):
            score = answer.get("pontuacao") or 0
            output.writerow({
                **row,
                "cep_encontrado": answer.get("cep") or "",
                "pontuacao": score,
                "conferir": "" if score >= 0.8 else "sim",
            })


if __name__ == "__main__":
    main()
