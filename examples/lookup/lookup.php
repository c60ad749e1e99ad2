<?php
// Looks up a CEP: php lookup.php 01310-100

// The routes of ViaCEP, on your own server first.
$servers = [
    getenv('CEP_URL') ?: 'http://localhost:8080',
    getenv('CEP_FALLBACK_URL') ?: 'https://viacep.com.br',
];
const SECONDS = 2;

/** Returns the record of a CEP, null if it does not exist. */
function lookup(array $servers, string $cep): ?array
{
    foreach ($servers as $server) {
        $url = "$server/ws/" . rawurlencode($cep) . '/json/';
        [$status, $body] = ask($url);
        if ($status === 400) {
            throw new InvalidArgumentException("CEP inválido: $cep");
        }
        $record = $status === 200 ? json_decode($body, true) : null;
        if ($record === null) {
            continue; // down, too slow, 429 or 5xx: ask the other server
        }
        return isset($record['erro']) ? null : $record;
    }
    throw new RuntimeException('Nenhum servidor respondeu');
}

/** Returns the status, 0 without one, and the body. */
function ask(string $url): array
{
    $end = microtime(true) + SECONDS;
    // This limit is that of a single packet.
    $options = ['timeout' => SECONDS, 'ignore_errors' => true];
    $context = stream_context_create(['http' => $options]);
    $stream = @fopen($url, 'r', false, $context);
    if ($stream === false) {
        return [0, ''];
    }
    $line = $http_response_header[0] ?? '';
    $body = '';
    while (!feof($stream)) {
        $body .= fread($stream, 65536);
        if (microtime(true) > $end) {
            return [0, ''];
        }
    }
    return [(int) (explode(' ', $line)[1] ?? 0), $body];
}

try {
    $record = lookup($servers, $argv[1]);
} catch (Exception $error) {
    fwrite(STDERR, "{$error->getMessage()}\n");
    exit(1);
}
if ($record === null) {
    fwrite(STDERR, "CEP não encontrado\n");
    exit(1);
}
echo "{$record['logradouro']}, {$record['localidade']}/{$record['uf']}\n";
