import { type Extracted, nothing } from '../fact.ts';
import { type DockerInstruction, readDockerfile } from '../read-dockerfile.ts';
import { readImage, splitImage } from '../read-image.ts';
import { isTemplated } from '../read-version.ts';
import { substituteVariables } from '../substitute-variables.ts';
import type { TextExtractor } from './extractor.ts';

/** Default values that are kept. Real files have some dozens. */
const maxDefaults = 1_000;

/** Base images of a Dockerfile, and images that it copies files from. */
export const dockerfile: TextExtractor = {
  name: 'dockerfile',
  wantsFile: ({ base }) =>
    /^(?:Dockerfile|Containerfile)(?:[._-][^/]*)?$|\.(?:Dockerfile|Containerfile)$/i.test(base) &&
    !/\.(?:md|dockerignore|ya?ml|json|sh|tpl|erb)$/i.test(base),
  extract(text) {
    const result = nothing();
    const defaults = new Map<string, string>();
    const stages = new Set<string>();
    let isBeforeStages = true;
    for (const instruction of readDockerfile(text)) {
      const { keyword, value } = instruction;
      if (keyword === 'ARG' && isBeforeStages) readDefaults(value, defaults);
      else if (keyword === 'FROM') {
        isBeforeStages = false;
        const words = value.split(/\s+/).filter((word) => !word.startsWith('--'));
        addImage(words[0] ?? '', 'FROM', instruction, defaults, stages, result);
        if (words[1]?.toUpperCase() === 'AS' && words[2]) stages.add(words[2].toLowerCase());
      } else {
        for (const image of copiedFrom(keyword, value))
          addImage(image, `${keyword} --from`, instruction, defaults, stages, result);
      }
    }
    return result;
  },
};

/** `NAME=value NAME="value"`. A name without a value has no default. */
function readDefaults(value: string, defaults: Map<string, string>): void {
  const pairs = value.slice(0, 2_000).matchAll(/([A-Za-z_]\w*)(?:=("[^"]*"|'[^']*'|\S*))?/g);
  for (const [, name, written] of pairs) {
    if (written === undefined || defaults.size >= maxDefaults) continue;
    const text = written.replace(/^(["'])(.*)\1$/s, '$2');
    defaults.set(name!, substituteVariables(text, (other) => defaults.get(other)).text);
  }
}

function* copiedFrom(keyword: string, value: string): Generator<string, void> {
  const flags = value.slice(0, 2_000);
  if (keyword === 'COPY' || keyword === 'ADD') {
    const from = /(?:^|\s)--from=(\S+)/.exec(flags)?.[1];
    if (from !== undefined && !/^\d+$/.test(from)) yield from;
  } else if (keyword === 'RUN') {
    for (const [, mount] of flags.matchAll(/(?:^|\s)--mount=(\S+)/g)) {
      const from = /(?:^|,)from=([^,]+)/.exec(mount!)?.[1];
      if (from !== undefined) yield from;
    }
  }
}

function addImage(
  written: string,
  field: string,
  { line }: DockerInstruction,
  defaults: ReadonlyMap<string, string>,
  stages: ReadonlySet<string>,
  result: Extracted,
): void {
  if (written === '') return;
  const unquoted = written.replace(/^(["'])(.*)\1$/s, '$2');
  const { text, usedDefault } = substituteVariables(unquoted, (name) => defaults.get(name));
  if (text === 'scratch' || stages.has(text.toLowerCase())) return;
  const image = splitImage(text);
  if (!image) return;
  const isVariable = unquoted !== text && !isTemplated(text);
  result.facts.push({
    extractor: 'dockerfile',
    place: { line, document: 0, kind: null, namespace: null, name: null, field: `${field} ${image.name}` },
    ...readImage(image),
    note: isVariable || usedDefault ? `default value of ${unquoted.slice(0, 100)}` : null,
  });
}
