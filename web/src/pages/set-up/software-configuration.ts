import type { SourceTypeId } from '../../../../src/domain/source-types/source-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { suggestedSchedules } from '../../components/suggested-schedules.ts';
import { toSourceOptions } from '../gather-jobs/source-option-values.ts';
import { toRuleBody } from '../rules/rule-values.ts';
import { readingOf } from '../scrape-jobs/tracker-values.ts';
import { readyMadeRules } from './ready-made-rules.ts';
import { newRuleValue, type SoftwareValues } from './software-values.ts';

type Named = Pick<Schemas['NamedReference'], 'id' | 'name'>;

/** What exists, by name: a configuration refers to it by that. */
export interface Existing {
  gatherJobs: readonly Named[];
  globalGatherJobs: readonly Named[];
  scrapeJobs: readonly Named[];
  rules: readonly Named[];
}

export interface Chosen {
  /** With the suggestion for an empty one. */
  name: string;
  /** The name of a new gather job: that of the software, without the environment, because others can use it, too. */
  sourceName: string;
  /** The recognized source; null where a gather job is used. */
  source: { source_type: SourceTypeId; artifact_name: string } | null;
  /** The gather job that is used. */
  gatherJobId: number | null;
  /** As in `SoftwareValues`, with the default for an empty one. */
  rule: string;
  environmentKey: string;
  serviceKey: string;
}

/** The form as a configuration: everything that it creates, and by name what it uses. */
export function toConfiguration(
  values: SoftwareValues,
  chosen: Chosen,
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
  { source, gatherJobId, sourceName }: Chosen,
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

function scrapeJobOf(values: SoftwareValues, chosen: Chosen, existing: Existing): Part {
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
          ...readingOf({ ...values, source: way }),
          cron_expression: suggestedSchedules.deployed,
          credential_name: orNull(values.deployed_credential),
        };
  return { entry: { name: chosen.name, labels, ...reading }, reference: chosen.name };
}

function ruleOf(values: SoftwareValues, { rule }: Chosen, existing: Existing): Part {
  const readyMade = readyMadeRules.find(({ body }) => newRuleValue(body.name) === rule);
  if (readyMade) return { entry: readyMade.body, reference: readyMade.body.name };
  if (rule !== newRuleValue(null))
    return { entry: null, reference: referenceTo(existing.rules, Number(rule)) };
  return { entry: customRule(values), reference: values.rule_name.trim() };
}

/** The rule that is typed. */
export function customRule({ rule_name, ...values }: SoftwareValues): Schemas['CreateMonitoringRuleRequest'] {
  return { name: rule_name.trim(), ...toRuleBody(values) };
}

/** Among several with the same name, by position, the oldest first. */
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

/** The fields of the form by the fields of the configuration, for errors. Others have the same name. */
const formFields: Readonly<Record<string, string>> = {
  'gather_jobs.name': 'artifact_name',
  'gather_jobs.credential_name': 'source_credential',
  'scrape_jobs.credential_name': 'deployed_credential',
  'rules.name': 'rule_name',
  'alert_configs.gather_job': 'artifact_name',
  'alert_configs.scrape_job': 'scrape_job_id',
};

/** @param field Such as `scrape_jobs.0.repository_url`. */
export function toFormField(field: string): string {
  const [section, index, ...rest] = field.split('.');
  if (section === undefined || index === undefined || !/^\d+$/.test(index)) return field;
  const name = rest.join('.');
  return formFields[`${section}.${name}`] ?? (name === '' ? 'name' : name);
}
