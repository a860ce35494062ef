import type { UseFormReturnType } from '@mantine/form';
import { lacksRepository } from '../../../../src/domain/source-types/guess-source.ts';
import type { SourceTypeId } from '../../../../src/domain/source-types/source-types.ts';
import { toArtifactName } from '../../components/artifact-field.tsx';
import { nameOf } from '../gather-jobs/derived-name.ts';
import { type SourceOptionValues, sourceOptionValues } from '../gather-jobs/source-option-values.ts';
import { type RuleFieldValues, ruleFieldValues } from '../rules/rule-values.ts';
import type { TrackerValues } from '../scrape-jobs/tracker-values.ts';

/** Source of the deployed version. With `existing`, an existing version tracker is used. */
export type DeployedVersionSource = 'manual' | 'git' | 'http' | 'prometheus' | 'existing';

/** Values of the software form. */
export interface SoftwareValues extends TrackerValues, RuleFieldValues, Record<string, unknown> {
  /** ID of an existing upstream source, or `null` if one is entered. */
  gather_job_id: number | null;
  artifact_name: string;
  /** Source type. An empty string means the recognized one. */
  source_type: SourceTypeId | '';
  source_options: SourceOptionValues;
  source_credential: string;
  way: DeployedVersionSource;
  scrape_job_id: number | null;
  version: string;
  deployed_credential: string;
  /** Name of the software. An empty string means the suggested one. */
  name: string;
  environment: string;
  service: string;
  labels: Record<string, string>;
  /** ID of a rule, or a value from `rulePresetValue`. An empty string means the default. */
  rule: string;
  rule_name: string;
}

export type SoftwareForm = UseFormReturnType<SoftwareValues>;

export const emptySoftware: SoftwareValues = {
  gather_job_id: null,
  artifact_name: '',
  source_type: '',
  source_options: sourceOptionValues(undefined),
  source_credential: '',
  way: 'manual',
  scrape_job_id: null,
  version: '',
  deployed_credential: '',
  source: 'git',
  parser_type: 'yq',
  repository_url: '',
  ref: '',
  target_file: '',
  parse_expression: '',
  url: '',
  query: '',
  label: 'version',
  series: {},
  version_transform: 'none',
  name: '',
  environment: '',
  service: '',
  labels: {},
  rule: '',
  rule_name: '',
  ...ruleFieldValues(),
};

/** Returns the form value for a rule preset by its name, or for a custom rule. */
export const rulePresetValue = (name: string | null) => (name === null ? 'custom' : `new ${name}`);

/** Suggests a unique name for the software, based on its artifact and environment. */
export function suggestName(
  source: { source_type: SourceTypeId; artifact_name: string } | null,
  environment: string,
  taken: ReadonlySet<string>,
): string {
  if (source === null) return '';
  const base = nameOf(toArtifactName(source.source_type, source.artifact_name));
  const name = environment.trim() === '' ? base : `${base} in ${environment.trim()}`;
  return uniqueName(name.slice(0, 190), taken);
}

function uniqueName(name: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const tried = count === 1 ? name : `${name} ${count}`;
    if (!taken.has(tried)) return tried;
  }
}

/** Returns the error for text that doesn't match any source. */
export function unrecognizedSourceError(pasted: string): string {
  return lacksRepository(pasted)
    ? 'The repository is missing. Enter the whole URL, such as github.com/grafana/grafana.'
    : 'Not recognized. Enter a URL, owner/repository, or an image.';
}
