/**
 * The same token made on one's own server: the policy as each language writes it, and the signature as docs/signing.md has it, an
 * HMAC-SHA1 over the encoded policy. Texts of the policy are data: each language quotes them by its own rules.
 */
import type { PolicyFields } from '@millpond/protocol';

export const LANGUAGES = ['typescript', 'python', 'go', 'curl', 'cli'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface Made {
  readonly policy: PolicyFields & { readonly scope: string };
  readonly life: number;
  /** The upload host. */
  readonly up: string;
  /** Any host of the installation. */
  readonly url: string;
  /** Named only where keys are needed; the secret never is. */
  readonly dialect: 'svc' | 'qiniu';
}

export function codeIn(language: Language, made: Made): string {
  switch (language) {
    case 'typescript':
      return typescript(made);
    case 'python':
      return python(made);
    case 'go':
      return go(made);
    case 'curl':
      return shell(made);
    case 'cli':
      return cli(made);
  }
}

function typescript({ policy, life, url, dialect }: Made): string {
  const named = dialect === 'svc' ? '' : `\n  dialect: '${dialect}',`;
  return `import { Client } from '@millpond/client/server';

const client = new Client({
  url: ${JSON.stringify(url)},${named}
  credentials: {
    accessKey: process.env.MILLPOND_ACCESS_KEY ?? '',
    secretKey: process.env.MILLPOND_SECRET_KEY ?? '',
  },
});

const token = client.uploadToken({
${entries(policy, (name, value) => `  ${name}: ${JSON.stringify(value)},`)}
  deadline: Math.floor(Date.now() / 1000) + ${life},
});`;
}

function python({ policy, life }: Made): string {
  return `import base64, hashlib, hmac, json, os, time

policy = {
${entries(policy, (name, value) => `    "${name}": ${pythonLiteral(value)},`)}
    "deadline": int(time.time()) + ${life},
}
encoded = base64.urlsafe_b64encode(json.dumps(policy).encode())
secret = os.environ["MILLPOND_SECRET_KEY"].encode()
signature = base64.urlsafe_b64encode(hmac.new(secret, encoded, hashlib.sha1).digest())
token = f'{os.environ["MILLPOND_ACCESS_KEY"]}:{signature.decode()}:{encoded.decode()}'
print(token)`;
}

function go({ policy, life }: Made): string {
  return `package main

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

func main() {
	policy, err := json.Marshal(map[string]any{
${entries(policy, (name, value) => `\t\t"${name}": ${goLiteral(value)},`)}
		"deadline": time.Now().Unix() + ${life},
	})
	if err != nil {
		panic(err)
	}
	encoded := base64.URLEncoding.EncodeToString(policy)
	mac := hmac.New(sha1.New, []byte(os.Getenv("MILLPOND_SECRET_KEY")))
	mac.Write([]byte(encoded))
	signature := base64.URLEncoding.EncodeToString(mac.Sum(nil))
	fmt.Printf("%s:%s:%s\\n", os.Getenv("MILLPOND_ACCESS_KEY"), signature, encoded)
}`;
}

function shell({ policy, life, up }: Made): string {
  const before = `${JSON.stringify(policy).slice(0, -1)},"deadline":`;
  return `encode() { basenc --base64url -w0; }
sign() { openssl dgst -sha1 -hmac "$MILLPOND_SECRET_KEY" -binary | encode; }

policy=$(printf '%s%s}' \\
  ${quoted(before)} \\
  "$(($(date +%s) + ${life}))" | encode)
token="$MILLPOND_ACCESS_KEY:$(printf %s "$policy" | sign):$policy"

curl -F token="$token" -F file=@clip.mp4 ${up}`;
}

function cli({ policy: { scope, ...rest }, life }: Made): string {
  const more = Object.keys(rest).length === 0 ? '' : ` \\\n  --policy ${quoted(JSON.stringify(rest))}`;
  return `millpond token make ${quoted(scope)} \\\n  --expires ${life}${more}`;
}

function entries(policy: PolicyFields, line: (name: string, value: unknown) => string): string {
  return Object.entries(policy)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => line(name, value))
    .join('\n');
}

/** Escapes of JSON's strings mean the same in Python's and Go's. */
function pythonLiteral(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

function goLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[]string{${value.map((each) => JSON.stringify(each)).join(', ')}}`;
  if (typeof value === 'object' && value !== null)
    return `map[string]string{${Object.entries(value)
      .map(([name, text]) => `${JSON.stringify(name)}: ${JSON.stringify(text)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
}

/** For a shell, whatever it holds. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
