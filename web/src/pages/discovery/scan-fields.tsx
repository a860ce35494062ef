import { Accordion, MultiSelect, Stack, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { extractorLabels } from '../../../../src/domain/discovery/extractor-labels.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { fieldErrorOf } from '../../components/field-error-of.ts';
import { monoInput } from '../../components/mono-input.ts';
import { RowFields } from './row-fields.tsx';

type DiscoveryJob = Schemas['DiscoveryJob'];

export interface ScanValues {
  extractors: string[];
  /** Labels in the format `key=value`. */
  label_rules: { pattern: string; labels: string[] }[];
  ignore_rules: Schemas['IgnoreRule'][];
  source_credentials: { host: string; credential_name: string }[];
}

export function scanValues({
  extractors,
  label_rules,
  ignore_rules,
  source_credentials,
}: Pick<DiscoveryJob, 'extractors' | 'label_rules' | 'ignore_rules' | 'source_credentials'>): ScanValues {
  return {
    extractors,
    label_rules: label_rules.map(({ pattern, labels = {} }) => ({
      pattern,
      labels: Object.entries(labels).map(([key, value]) => `${key}=${value}`),
    })),
    ignore_rules,
    source_credentials,
  };
}

/** Converts form values to a request. Empty rows, and those without a pattern or a host, are omitted. */
export function toScanRequest({ extractors, label_rules, ignore_rules, source_credentials }: ScanValues) {
  return {
    extractors: extractors as DiscoveryJob['extractors'],
    label_rules: label_rules
      .filter(({ pattern }) => pattern.trim() !== '')
      .map(({ pattern, labels }) => ({
        pattern: pattern.trim(),
        labels: Object.fromEntries(labels.map(toLabel)),
      })),
    ignore_rules: ignore_rules.map(withoutEmpty).filter((rule) => Object.keys(rule).length > 0),
    source_credentials: source_credentials
      .filter(({ host }) => host.trim() !== '')
      .map(({ host, credential_name }) => ({ host: host.trim(), credential_name: credential_name.trim() })),
  };
}

function withoutEmpty(rule: Schemas['IgnoreRule']): Schemas['IgnoreRule'] {
  const trimmed = Object.entries(rule).map(([field, value]) => [
    field,
    typeof value === 'string' ? value.trim() : value,
  ]);
  return Object.fromEntries(trimmed.filter(([, value]) => value !== '' && value !== undefined));
}

function toLabel(text: string): [string, string] {
  const [key = '', ...value] = text.split('=');
  return [key.trim(), value.join('=').trim()];
}

const ignorePlaceholders = { artifact: 'Artifact', path: 'Path', reason: 'Reason' };

/** Fields for the extractors, the label rules, the ignore rules, and the credentials of a scan. */
export function ScanFields<FormValues extends ScanValues>({ form }: { form: UseFormReturnType<FormValues> }) {
  const { values, errors } = form;
  const set = (changes: Partial<ScanValues>) => form.setValues(changes as Partial<FormValues>);
  const isUsed = [values.extractors, values.label_rules, values.ignore_rules, values.source_credentials].some(
    ({ length }) => length > 0,
  );
  return (
    <Accordion variant="contained" defaultValue={isUsed ? 'details' : null}>
      <Accordion.Item value="details">
        <Accordion.Control>Advanced options</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="sm">
            <MultiSelect
              label="Kinds of files"
              description="Select what to read. Leave empty for all kinds."
              data={Object.entries(extractorLabels).map(([value, label]) => ({ value, label }))}
              clearable
              searchable
              {...form.getInputProps('extractors')}
              error={fieldErrorOf(errors, 'extractors')}
            />
            <RowFields
              label="Labels from paths"
              description="Versions in matching paths get the labels, and named groups become labels too. For example, clusters/(?P<cluster>[^/]+)/ with team=platform. Later rules take precedence."
              rowName="label rule"
              rows={values.label_rules}
              newRow={{ pattern: '', labels: [] }}
              maxRows={20}
              onChange={(label_rules) => set({ label_rules })}
              error={errors['label_rules']}
            >
              {(rule, index, change) => (
                <>
                  <TextInput
                    styles={monoInput}
                    aria-label={`Label rule ${index + 1} pattern`}
                    placeholder="Pattern"
                    value={rule.pattern}
                    error={fieldErrorOf(errors, `label_rules.${index}`)}
                    onChange={({ currentTarget: { value } }) => change({ pattern: value })}
                    flex={1}
                    miw={0}
                  />
                  <TagsInput
                    aria-label={`Label rule ${index + 1} labels`}
                    placeholder={rule.labels.length === 0 ? 'Labels' : undefined}
                    value={rule.labels}
                    error={rule.labels.some((label) => !label.includes('=')) ? 'Use key=value.' : null}
                    acceptValueOnBlur
                    onChange={(labels) => change({ labels })}
                    flex={1}
                    miw={0}
                  />
                </>
              )}
            </RowFields>
            <RowFields
              label="Ignored versions"
              description="Versions that match all fields of a row are ignored, including in later scans. For example, the artifact image:registry.local/shop or the path clusters/sandbox/. If several rows match, the last one applies. Versions that someone ignores or restores manually keep that status."
              rowName="ignore rule"
              rows={values.ignore_rules}
              newRow={{ artifact: '', path: '', reason: '' }}
              maxRows={500}
              onChange={(ignore_rules) => set({ ignore_rules })}
              error={errors['ignore_rules']}
            >
              {(rule, index, change) => (
                <>
                  {(['artifact', 'path', 'reason'] as const).map((field) => (
                    <TextInput
                      key={field}
                      aria-label={`Ignore rule ${index + 1} ${field}`}
                      placeholder={ignorePlaceholders[field]}
                      title={rule.key === undefined ? undefined : `Only ${rule.key}`}
                      disabled={field === 'reason' && rule.is_ignored === false}
                      value={
                        field === 'reason' && rule.is_ignored === false ? 'Not ignored' : (rule[field] ?? '')
                      }
                      error={
                        errors[`ignore_rules.${index}.${field}`] ??
                        (field === 'artifact' ? errors[`ignore_rules.${index}`] : undefined)
                      }
                      onChange={({ currentTarget: { value } }) => change({ [field]: value })}
                      flex={1}
                      miw={0}
                    />
                  ))}
                </>
              )}
            </RowFields>
            <RowFields
              label="Credentials for sources"
              description="New upstream sources on a host use its credential, by the name in an agent's configuration. For example, ghcr.io with ghcr-readonly."
              rowName="credential"
              rows={values.source_credentials}
              newRow={{ host: '', credential_name: '' }}
              maxRows={50}
              onChange={(source_credentials) => set({ source_credentials })}
              error={errors['source_credentials']}
            >
              {(credential, index, change) => (
                <>
                  <TextInput
                    aria-label={`Credential ${index + 1} host`}
                    placeholder="Host"
                    value={credential.host}
                    error={errors[`source_credentials.${index}.host`]}
                    onChange={({ currentTarget: { value } }) => change({ host: value })}
                    flex={1}
                    miw={0}
                  />
                  <TextInput
                    aria-label={`Credential ${index + 1} name`}
                    placeholder="Credential"
                    value={credential.credential_name}
                    error={errors[`source_credentials.${index}.credential_name`]}
                    onChange={({ currentTarget: { value } }) => change({ credential_name: value })}
                    flex={1}
                    miw={0}
                  />
                </>
              )}
            </RowFields>
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
