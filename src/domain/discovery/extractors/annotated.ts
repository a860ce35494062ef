import type { Fact } from '../fact.ts';
import { commentedFact, readRenovateComment } from '../renovate-comment.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import type { FilePath } from './extractor.ts';

/**
 * True for files whose Renovate comments `readAnnotated` reads. Dockerfiles and workflows are excluded,
 * because their extractors read the comments and also resolve variables.
 */
export function shouldReadAnnotations({ path, base }: FilePath): boolean {
  if (/dockerfile|containerfile/i.test(base) || /(?:^|\/)\.(?:github|gitea|forgejo)\//.test(path))
    return false;
  return (
    /\.(?:ya?ml|gotmpl|j2|tpl|tf|tofu|tfvars|hcl|nomad|toml|ini|cfg|conf|properties|env|sh|bash|fish|zsh|ps1|mk|nix|bzl|bazel|gradle|kts|groovy|cue|libsonnet|jsonnet|k)$/.test(
      base,
    ) ||
    /^(?:\.env[\w.-]*|\.envrc|Makefile|makefile|GNUmakefile|Justfile|justfile|Taskfile|Jenkinsfile|Earthfile|Tiltfile|Vagrantfile|WORKSPACE)$/.test(
      base,
    )
  );
}

/**
 * Returns the versions with a Renovate comment, such as `# renovate: datasource=github-releases
 * depName=acme/tool`, in any text file. The comment is on the line above the version, or at the end of its
 * line.
 */
export function readAnnotated(text: string): Fact[] {
  if (!text.includes('renovate:')) return [];
  const facts: Fact[] = [];
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    if (facts.length >= maxFactsPerFile) break;
    if (!line.includes('renovate:')) continue;
    const comment = readRenovateComment(line);
    if (!comment) continue;
    const isBehind = comment.before.trim() !== '';
    const valueLine = isBehind ? comment.before : (lines[at + 1] ?? '');
    const value = readValue(valueLine.slice(0, 1_000));
    const found = value && commentedFact(comment, value.version);
    if (!value || !found) continue;
    facts.push({
      extractor: 'annotated',
      place: {
        line: isBehind ? at + 1 : at + 2,
        document: 0,
        kind: null,
        namespace: null,
        name: null,
        field: value.key ?? found.artifact.name,
      },
      ...found,
      ...(value.digest !== null && { digest: value.digest }),
      note: null,
    });
  }
  return facts;
}

/**
 * Reads the version of a line such as `key: v1.2.3`, `KEY="1.2.3"`, `key := 1.2.3`, or `image:
 * acme/web:1.2.3`.
 */
function readValue(line: string): { key: string | null; version: string; digest: string | null } | null {
  const [start = ''] =
    /^[\s-]*(?:(?:export|set|local|readonly|const|let|var|val|def|ARG|ENV)\s+)?/.exec(line) ?? [];
  const statement = line.slice(start.length).trimEnd();
  const named = /^["']?([\w.-]+)["']?(?:\s*(?::=|\?=|=|:)|\s)/.exec(statement);
  const behind = named && statement.slice(named[0].length).trimStart();
  const [key, rest] = behind ? [named[1] ?? null, behind] : [null, statement];
  const quoted = /["']([^"']+)["']/.exec(rest)?.[1];
  const text = (quoted ?? /^[^\s,;]+/.exec(rest.trim())?.[0] ?? '').trim();
  const [reference = '', digest = null] = text.split('@');
  // If the text is an image or a URL, the version is only a part of it.
  const version = /[:/]/.test(reference)
    ? (/[:/?&=]((?:v|release-)?\d[\w.+-]*)(?=$|[/?&])/.exec(reference)?.[1] ?? '')
    : reference;
  return /\d/.test(version) ? { key, version, digest } : null;
}
