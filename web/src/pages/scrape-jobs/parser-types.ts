import type { Schemas } from '../../../../src/generated/client-api.ts';

type ParserType = Schemas['ParserType'];

interface ParserText {
  label: string;
  about: string;
  /** Path of a file that it can read. */
  exampleFile: string;
}

/** Parsers that find the deployed version in a file, most common first. */
export const parsers: Record<Exclude<ParserType, 'manual'>, ParserText> = {
  yq: {
    label: 'YAML or JSON path',
    about: 'For example .image.tag or .releases[0].version. Quote keys that contain dots: ."app.version".',
    exampleFile: 'deploy/values.yaml',
  },
  regex: {
    label: 'Regular expression',
    about:
      'An RE2 pattern matched against the whole file. Returns the first capture group, or the whole match. For example, FROM grafana/grafana:(\\S+).',
    exampleFile: 'Dockerfile',
  },
  jq: {
    label: 'JSON keys',
    about: 'Dotted keys only, for example .dependencies.react.',
    exampleFile: 'package.json',
  },
  sbom: {
    label: 'Bill of materials (SBOM)',
    about:
      'The package URL of a component, without a version, in a CycloneDX or SPDX document in JSON. For example, pkg:npm/react. If there are several versions, the lowest one is used.',
    exampleFile: 'bom.json',
  },
};

export const parserOptions: { value: ParserType; label: string }[] = [
  ...(Object.keys(parsers) as (keyof typeof parsers)[]).map((value) => ({
    value,
    label: parsers[value].label,
  })),
  { value: 'manual', label: 'Manual or CI' },
];

export const parserLabel = (type: Schemas['ScrapeJobParserType']): string =>
  type === 'discovered' ? 'Discovery' : (parserOptions.find(({ value }) => value === type)?.label ?? type);

export const transformOptions: { value: Schemas['VersionTransform']; label: string }[] = [
  { value: 'none', label: 'Keep as is' },
  { value: 'add_v_lower', label: 'Add v (1.2.3 → v1.2.3)' },
  { value: 'add_v_upper', label: 'Add V (1.2.3 → V1.2.3)' },
  { value: 'strip_v_lower', label: 'Remove v (v1.2.3 → 1.2.3)' },
  { value: 'strip_v_upper', label: 'Remove V (V1.2.3 → 1.2.3)' },
];
