<?php
// Adds CEPs to a table of addresses: php clean.php < enderecos.csv > ceps.csv
//
// The table is UTF-8, with commas or semicolons. Its columns endereco,
// logradouro, numero, complemento, bairro, cidade, uf and cep are sent, those that
// it has. Rows go out in groups, so that a table of any size fits into memory.

const PARTS = ['endereco', 'logradouro', 'numero', 'complemento', 'bairro',
    'cidade', 'uf', 'cep'];
const ROWS = 250; // count as one request
$url = (getenv('CEP_URL') ?: 'http://localhost:8080') . '/enderecos';

/** Returns the answer to each row, in order. */
function ask(string $url, array $rows): array
{
    $lines = array_map(function (array $row): string {
        $address = array_filter(
            array_intersect_key($row, array_flip(PARTS)),
            fn ($part) => $part !== '',
        );
        return json_encode((object) $address, JSON_THROW_ON_ERROR);
    }, $rows);
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => 'Content-Type: application/x-ndjson',
        'content' => implode("\n", $lines),
        'timeout' => 60,
    ]]);
    $text = file_get_contents($url, false, $context);
    if ($text === false) {
        exit(1); // PHP has printed the reason.
    }
    return array_map(
        fn ($line) => json_decode($line, true, 512, JSON_THROW_ON_ERROR),
        explode("\n", trim($text)),
    );
}

function write(string $url, array $rows, string $delimiter): void
{
    $answers = ask($url, $rows);
    if (count($answers) !== count($rows)) { // e.g. the rate limit
        fwrite(STDERR, json_encode(end($answers)) . "\n");
        exit(1);
    }
    foreach ($rows as $i => $row) {
        $score = $answers[$i]['pontuacao'] ?? 0;
        $check = $score >= 0.8 ? '' : 'sim';
        $added = [$answers[$i]['cep'] ?? '', $score, $check];
        fputcsv(STDOUT, [...array_values($row), ...$added], $delimiter, '"', '');
    }
}

$header = preg_replace('/^\xEF\xBB\xBF/', '', (string) fgets(STDIN));
$delimiter = substr_count($header, ';') > substr_count($header, ',') ? ';' : ',';
$names = str_getcsv(rtrim($header, "\r\n"), $delimiter, '"', '');
if (array_intersect(PARTS, $names) === []) {
    fwrite(STDERR, 'Nenhuma coluna se chama ' . implode(', ', PARTS) . "\n");
    exit(1);
}
$added = ['cep_encontrado', 'pontuacao', 'conferir'];
fputcsv(STDOUT, [...$names, ...$added], $delimiter, '"', '');
$rows = [];
while (($cells = fgetcsv(STDIN, null, $delimiter, '"', '')) !== false) {
    if ($cells === [null]) {
        continue; // a blank line
    }
    $cells = array_slice(array_pad($cells, count($names), ''), 0, count($names));
    $rows[] = array_combine($names, $cells);
    if (count($rows) === ROWS) {
        write($url, $rows, $delimiter);
        $rows = [];
    }
}
if ($rows !== []) {
    write($url, $rows, $delimiter);
}
