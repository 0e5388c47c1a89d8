<?php

/**
 * A client of Namewright, for PHP 8.1 or later, without extensions.
 *
 * Made from api/openapi.json of version {{version}} by `pnpm clients`; not to be edited. It is published as an example and
 * is not a maintained SDK: copy it into your project and change it as you like.
 *
 * A method returns the `data` of the response. A refused request throws NamewrightError. A response 429 or 503 is retried
 * after the seconds of its header Retry-After, while the time budget lasts. Every POST has an Idempotency-Key, the same
 * for all its tries, so that a retry has no second effect.
 */

declare(strict_types=1);

namespace Namewright;

/** A refused request, or a response that is not one of the service (code "unexpected_response"). */
final class NamewrightError extends \RuntimeException
{
    public readonly string $errorCode;
    public readonly ?string $hint;
    public readonly ?string $requestId;
    /** @var list<array{pointer: string, code: string, message: string}> */
    public readonly array $errors;

    /** @param array<string, mixed> $error */
    public function __construct(public readonly int $status, array $error, public readonly ?int $retryAfter)
    {
        $this->errorCode = $error['code'] ?? 'unexpected_response';
        $this->hint = $error['hint'] ?? null;
        $this->requestId = $error['request_id'] ?? null;
        $this->errors = $error['errors'] ?? [];
        $message = $error['message'] ?? "HTTP status $status";
        parent::__construct("$this->errorCode: $message" . ($this->hint === null ? '' : " $this->hint"), $status);
    }
}

/** The service could not be reached, or the connection broke. */
final class NetworkError extends \RuntimeException
{
}

/**
{{types}}
 */
final class Namewright
{
    private string $baseUrl;

    public function __construct(
        string $baseUrl,
        private string $apiKey,
        private ?string $language = null,
        private float $timeBudget = 30.0,
        private float $timeout = 35.0,
    ) {
        if (preg_match('~^https?://~i', $baseUrl) !== 1) {
            throw new \InvalidArgumentException('baseUrl is not an http or https URL');
        }
        $this->baseUrl = rtrim($baseUrl, '/');
    }

{{operations}}

    /**
     * @param array<string, scalar|null> $query
     * @param array<string, mixed>|null $body
     * @param array<string, string|null> $headers
     */
    private function call(string $method, string $path, array $query = [], ?array $body = null, array $headers = []): array
    {
        [$status, $stream] = $this->open($method, $path, 'application/json', $query, $body, $headers);
        $text = stream_get_contents($stream);
        fclose($stream);
        $answer = self::jsonOf($text);
        if (!is_array($answer['data'] ?? null)) {
            throw new NamewrightError($status, [], null);
        }
        return $answer['data'];
    }

    /**
     * @param array<string, scalar|null> $query
     * @param array<string, string|null> $headers
     */
    private function stream(string $method, string $path, array $query = [], array $headers = []): \Generator
    {
        [, $stream] = $this->open($method, $path, 'application/x-ndjson', $query, null, $headers);
        try {
            while (($line = fgets($stream)) !== false) {
                if (trim($line) !== '') {
                    yield json_decode($line, true, 512, JSON_THROW_ON_ERROR);
                }
            }
            if (stream_get_meta_data($stream)['timed_out']) {
                throw new NetworkError('the service did not respond in time');
            }
        } finally {
            fclose($stream);
        }
    }

    /** @return array{int, resource} the status of a success, and its body */
    private function open(string $method, string $path, string $accept, array $query, ?array $body, array $headers): array
    {
        $given = array_map(
            static fn ($value) => is_bool($value) ? ($value ? 'true' : 'false') : (string) $value,
            array_filter($query, static fn ($value) => $value !== null),
        );
        $url = $this->baseUrl . $path . ($given === [] ? '' : '?' . http_build_query($given));
        $sent = ['Authorization' => "Bearer $this->apiKey", 'Accept' => $accept, 'Connection' => 'close', ...$headers];
        $sent['Accept-Language'] = $this->language;
        // A redirected request would send the API key to another address.
        $http = ['method' => $method, 'ignore_errors' => true, 'follow_location' => 0, 'timeout' => $this->timeout];
        if ($body !== null) {
            $sent['Content-Type'] = 'application/json';
            $http['content'] = json_encode((object) $body, JSON_THROW_ON_ERROR);
        }
        $http['header'] = self::headerLines($sent);
        $endsAt = microtime(true) + $this->timeBudget;
        for (;;) {
            error_clear_last();
            $stream = @fopen($url, 'r', false, stream_context_create(['http' => $http]));
            if ($stream === false) {
                throw new NetworkError(error_get_last()['message'] ?? 'the service cannot be reached');
            }
            [$status, $retryAfter] = self::headOf($stream);
            if ($status >= 200 && $status < 300) {
                return [$status, $stream];
            }
            $error = self::jsonOf(stream_get_contents($stream))['error'] ?? null;
            fclose($stream);
            $isLate = $retryAfter === null || microtime(true) + $retryAfter > $endsAt;
            if (($status !== 429 && $status !== 503) || $isLate) {
                throw new NamewrightError($status, is_array($error) ? $error : [], $retryAfter);
            }
            sleep($retryAfter);
        }
    }

    /** @return list<string> */
    private static function headerLines(array $headers): array
    {
        $lines = [];
        foreach ($headers as $name => $value) {
            if ($value === null) {
                continue;
            }
            if (preg_match('/[\x00-\x1f\x7f]/', $value) === 1) {
                throw new \InvalidArgumentException("$name has a control character");
            }
            $lines[] = "$name: $value";
        }
        return $lines;
    }

    /**
     * @param resource $stream
     * @return array{int, ?int} the status, and the seconds of Retry-After
     */
    private static function headOf($stream): array
    {
        $status = 0;
        $retryAfter = null;
        foreach (stream_get_meta_data($stream)['wrapper_data'] ?? [] as $line) {
            if (preg_match('~^HTTP/\S+ (\d{3})~', $line, $found) === 1) {
                $status = (int) $found[1];
            } elseif (preg_match('~^Retry-After:\s*(\d{1,9})\s*$~i', $line, $found) === 1) {
                $retryAfter = (int) $found[1];
            }
        }
        return [$status, $retryAfter];
    }

    private static function jsonOf(string|false $text): array
    {
        $value = $text === false ? null : json_decode($text, true);
        return is_array($value) ? $value : [];
    }

    /** An empty id or dots would change the path: "delete this record" would become "delete all". */
    private static function segment(string $name, string $value): string
    {
        if (in_array($value, ['', '.', '..'], true)) {
            throw new \InvalidArgumentException("$name is not a valid id");
        }
        return rawurlencode($value);
    }
}
