import { ownValue } from '../../../../src/domain/json/own-value.ts';
import type { SourceTypeId } from '../../../../src/domain/source-types/source-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { suggestedSchedules } from '../../components/suggested-schedules.ts';
import { toSourceOptions } from '../gather-jobs/source-option-values.ts';
import { toRuleBody } from '../rules/rule-values.ts';
import { trackerRequestFields } from '../scrape-jobs/tracker-values.ts';
import { readyMadeRules } from './ready-made-rules.ts';
import { rulePresetValue, type SoftwareValues } from './software-values.ts';

type Named = Pick<Schemas['NamedReference'], 'id' | 'name'>;

/** Existing resources. A configuration refers to them by name. */
export interface Existing {
  gatherJobs: readonly Named[];
  globalGatherJobs: readonly Named[];
  scrapeJobs: readonly Named[];
  rules: readonly Named[];
}

export interface ExistingSelection {
  /** Name of the software. Uses the suggestion if the field is empty. */
  name: string;
  /**
   * Name of a new gather job. It doesn't include the environment, because software in other environments can
   * use the same job.
   */
  sourceName: string;
  /** Recognized source, or `null` if an existing gather job is used. */
  source: { source_type: SourceTypeId; artifact_name: string } | null;
  /** ID of the existing gather job, or `null` if a new one is created. */
  gatherJobId: number | null;
  /** Rule in the format of `SoftwareValues`, with the default instead of an empty value. */
  rule: string;
  environmentKey: string;
  serviceKey: string;
}

/**
 * Converts the form to a configuration with the resources to create. Existing resources are referenced by
 * name.
 */
export function toConfiguration(
  values: SoftwareValues,
  chosen: ExistingSelection,
  existing: Existing,
): Schemas['ConfigurationDocument'] {
  const gather = gatherJobOf(values, chosen, existing);
  const scrape = scrapeJobOf(values, chosen, existing);
  const rule = ruleOf(values, chosen, existing);
  return {
    ...(rule.entry && { rules: [rule.entry] }),
    ...(gather.entry && { gather_jobs: [gather.entry] }),
    ...(scrape.entry && { scrape_jobs: [scrape.entry] }),
    alert_configs: [
      {
        name: chosen.name,
        scrape_job: scrape.reference,
        gather_job: gather.reference,
        rule: rule.reference,
      },
    ],
  };
}

interface Part {
  entry: Record<string, unknown> | null;
  reference: unknown;
}

function gatherJobOf(
  values: SoftwareValues,
  { source, gatherJobId, sourceName }: ExistingSelection,
  existing: Existing,
): Part {
  if (source === null) {
    const { gatherJobs, globalGatherJobs } = existing;
    const isOwn = gatherJobs.some(({ id }) => id === gatherJobId);
    return {
      entry: null,
      reference: isOwn
        ? referenceTo(gatherJobs, gatherJobId)
        : { ...named(globalGatherJobs, gatherJobId), scope: 'global' },
    };
  }
  const entry = {
    name: sourceName,
    ...source,
    source_options: toSourceOptions(source.source_type, values.source_options),
    cron_expression: suggestedSchedules.upstream,
    credential_name: orNull(values.source_credential),
  };
  return { entry, reference: entry.name };
}

function scrapeJobOf(values: SoftwareValues, chosen: ExistingSelection, existing: Existing): Part {
  const { way } = values;
  if (way === 'existing')
    return { entry: null, reference: referenceTo(existing.scrapeJobs, values.scrape_job_id) };
  const labels = {
    ...values.labels,
    ...(values.environment.trim() !== '' && { [chosen.environmentKey]: values.environment.trim() }),
    ...(values.service.trim() !== '' && { [chosen.serviceKey]: values.service.trim() }),
  };
  const reading =
    way === 'manual'
      ? { parser_type: 'manual', version: values.version.trim() }
      : {
          parser_type: values.parser_type,
          ...trackerRequestFields({ ...values, source: way }),
          cron_expression: suggestedSchedules.deployed,
          credential_name: orNull(values.deployed_credential),
        };
  return { entry: { name: chosen.name, labels, ...reading }, reference: chosen.name };
}

function ruleOf(values: SoftwareValues, { rule }: ExistingSelection, existing: Existing): Part {
  const readyMade = readyMadeRules.find(({ body }) => rulePresetValue(body.name) === rule);
  if (readyMade) return { entry: readyMade.body, reference: readyMade.body.name };
  if (rule !== rulePresetValue(null))
    return { entry: null, reference: referenceTo(existing.rules, Number(rule)) };
  return { entry: customRule(values), reference: values.rule_name.trim() };
}

/** Returns the custom rule from the form values. */
export function customRule({ rule_name, ...values }: SoftwareValues): Schemas['CreateMonitoringRuleRequest'] {
  return { name: rule_name.trim(), ...toRuleBody(values) };
}

/**
 * Returns a reference by name. If several resources have the same name, the reference includes the position,
 * oldest first.
 */
function referenceTo(all: readonly Named[], id: number | null) {
  const { name, ...key } = named(all, id);
  return 'key' in key ? { name, ...key } : name;
}

function named(all: readonly Named[], id: number | null): { name: string; key?: string } {
  const name = all.find((each) => each.id === id)?.name ?? '';
  const same = all.filter((each) => each.name === name).toSorted((a, b) => a.id - b.id);
  if (same.length <= 1) return { name };
  return { name, key: String(same.findIndex((each) => each.id === id) + 1) };
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim());

/**
 * Form field names by configuration field, for errors. Fields that aren't listed have the same name in both.
 */
const formFields: Readonly<Record<string, string>> = {
  'gather_jobs.name': 'artifact_name',
  'gather_jobs.credential_name': 'source_credential',
  'scrape_jobs.credential_name': 'deployed_credential',
  'rules.name': 'rule_name',
  'alert_configs.gather_job': 'artifact_name',
  'alert_configs.scrape_job': 'scrape_job_id',
};

/**
 * Returns the form field for a field of the configuration.
 * @param field Field path, such as `scrape_jobs.0.repository_url`.
 */
export function toFormField(field: string): string {
  const [section, index, ...rest] = field.split('.');
  if (section === undefined || index === undefined || !/^\d+$/.test(index)) return field;
  const name = rest.join('.');
  return ownValue(formFields, `${section}.${name}`) ?? (name === '' ? 'name' : name);
}
