import { Anchor, Button, Collapse, Group, Loader, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { type SourceTypeId, sourceTypes } from '../../../../src/domain/source-types/source-types.ts';
import { useApi } from '../../api/use-api.ts';
import { CredentialField } from '../../components/credential-field.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import { SourceOptionFields } from '../gather-jobs/source-option-fields.tsx';
import { MoreButton } from '../notification-channels/more-button.tsx';
import { ChoiceList } from './choice-list.tsx';
import { LatestReleases } from './latest-releases.tsx';
import { type SoftwareForm, type SoftwareValues, unrecognizedSourceError } from './software-values.ts';
import type { Source } from './use-source.ts';

/** Examples for users who want to try Pacekeeper. */
const examples: readonly (readonly [name: string, pasted: string])[] = [
  ['Grafana', 'github.com/grafana/grafana'],
  ['PostgreSQL', 'docker.io/library/postgres'],
  ['cert-manager', 'https://charts.jetstack.io/cert-manager'],
  ['Forgejo', 'codeberg.org/forgejo/forgejo'],
];

/** Section for the upstream source: pasted text, or an existing source. */
export function SourceSection({ form, source }: { form: SoftwareForm; source: Source }) {
  const { values } = form;
  const [hasMore, more] = useDisclosure(values.source_credential !== '');
  const { candidate, candidates } = source;
  const testLater = useRef(false);
  /** Tests the source and selects the detected type, unless the text or the type has changed since. */
  const test = (given: SoftwareValues) =>
    source.test(given, (sourceType) => {
      const { artifact_name, source_type } = form.getValues();
      if (artifact_name === given.artifact_name && source_type === given.source_type)
        form.setFieldValue('source_type', sourceType);
    });
  // Tests the source of a restored draft.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once.
  useEffect(() => {
    if (values.artifact_name.trim() !== '') test(values);
  }, []);
  /**
   * Updates the source text. Pasted text is tested immediately, and typed text when the field loses focus.
   */
  const write = (text: string, isTyped: boolean) => {
    const next = { ...form.getValues(), artifact_name: text, source_type: '' as const };
    form.setValues({ artifact_name: text, source_type: '' });
    testLater.current = isTyped;
    if (!isTyped) test(next);
  };
  const testNow = () => {
    testLater.current = false;
    test(form.getValues());
  };
  const isChosen = values.gather_job_id !== null;
  const isEmpty = values.artifact_name.trim() === '' && !isChosen;
  return (
    <Stack gap="sm" maw={720}>
      {isChosen ? (
        <Group gap="sm">
          <Text size="sm">
            <strong>{source.gatherJob?.name ?? '…'}</strong>, an existing source
          </Text>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => form.setFieldValue('gather_job_id', null)}
          >
            Change source
          </Button>
        </Group>
      ) : (
        <TextInput
          label="URL or name"
          description="Paste the URL of a project, an image, or a chart. For example, github.com/grafana/grafana."
          required
          autoFocus
          spellCheck={false}
          {...form.getInputProps('artifact_name')}
          onChange={({ currentTarget, nativeEvent }) => write(currentTarget.value, isKey(nativeEvent))}
          onBlur={() => testLater.current && testNow()}
        />
      )}
      {isEmpty && <ExistingSources onChoose={(id) => form.setFieldValue('gather_job_id', id)} />}
      {isEmpty && (
        <Group gap={6}>
          <Text size="sm" c="var(--text-muted)">
            Examples:
          </Text>
          {examples.map(([name, pasted]) => (
            <Button key={name} variant="default" size="compact-sm" onClick={() => write(pasted, false)}>
              {name}
            </Button>
          ))}
        </Group>
      )}
      {candidates.length > 0 && (
        <Group align="flex-end" gap="sm">
          <Select
            label="Source type"
            placeholder="Select"
            required={candidate === null}
            description={
              candidate
                ? sourceTypes[candidate.source_type].about
                : source.isTesting
                  ? "Pacekeeper doesn't recognize this host. Testing each type…"
                  : "Pacekeeper doesn't recognize this host. Select a type."
            }
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={candidates.map(({ source_type }) => ({
              value: source_type,
              label: sourceTypes[source_type].label,
            }))}
            allowDeselect={false}
            w={{ base: '100%', xs: 320 }}
            {...form.getInputProps('source_type')}
            value={candidate?.source_type ?? null}
            onChange={(type) => {
              const source_type = type as SourceTypeId;
              form.setFieldValue('source_type', source_type);
              test({ ...form.getValues(), source_type });
            }}
          />
        </Group>
      )}
      {candidate && <SourceOptionFields form={form} sourceType={candidate.source_type} />}
      {!isEmpty && !isChosen && candidates.length === 0 && form.errors['artifact_name'] === undefined && (
        <Text size="sm">{unrecognizedSourceError(values.artifact_name)}</Text>
      )}
      <div aria-live="polite">
        <TestResult source={source} isChosen={isChosen} testNow={testNow} />
      </div>
      {candidate && source.gatherJobId === null && (
        <>
          <MoreButton isOpen={hasMore} onClick={more.toggle}>
            Private source
          </MoreButton>
          <Collapse expanded={hasMore}>
            <Stack gap={6}>
              <CredentialField {...form.getInputProps('source_credential')} />
              <Text size="sm" c="var(--text-muted)">
                Only agents have credentials, so a private source isn't tested here. For a version pattern or
                other options, create it under{' '}
                <TextLink to="/gather-jobs/new" inherit underline="always">
                  Upstream sources
                </TextLink>
                , and choose it here.
              </Text>
            </Stack>
          </Collapse>
        </>
      )}
    </Stack>
  );
}

/** True if a single keystroke changed the text. */
function isKey(event: Event): boolean {
  if (!(event instanceof InputEvent)) return false;
  return event.inputType.startsWith('delete') || event.data?.length === 1;
}

/** Lists existing sources, which can be selected with one click. */
function ExistingSources({ onChoose }: { onChoose: (id: number) => void }) {
  const own = useApi('listGatherJobsDropdown').data ?? [];
  const global = useApi('listGlobalGatherJobsDropdown').data ?? [];
  const toChoice = ({ id, name, latest_version }: (typeof own)[number]) => ({
    id,
    name,
    note: latest_version,
  });
  return (
    <>
      <ChoiceList
        label="Popular software (shared sources)"
        choices={global.map(toChoice)}
        onChoose={onChoose}
      />
      <ChoiceList label="Existing sources" choices={own.map(toChoice)} onChoose={onChoose} />
    </>
  );
}

function TestResult({
  source,
  isChosen,
  testNow,
}: {
  source: Source;
  isChosen: boolean;
  testNow: () => void;
}) {
  const { gatherJob, preview, isTesting, testError, candidate, candidates } = source;
  if (isTesting)
    return (
      <Group gap="xs">
        <Loader size="xs" aria-hidden />
        <Text size="sm">Testing the source…</Text>
      </Group>
    );
  // If several types are possible, an error of one of them isn't useful. The user must select a type first.
  if (candidate === null && candidates.length > 0) return null;
  if (testError !== null) return <ErrorNotice error={testError} retry={testNow} />;
  if (gatherJob !== undefined)
    return (
      <Stack gap="xs">
        {!isChosen && (
          <Text size="sm">
            <Mark tone="ok">Already tracked</Mark> <strong>{gatherJob.name}</strong>
            {gatherJob.scope === 'global' ? ', a global source,' : ''} already tracks this. Pacekeeper uses it
            instead of creating another one.
          </Text>
        )}
        <LatestReleases gatherJob={gatherJob} />
      </Stack>
    );
  if (preview === null)
    return (
      candidate && (
        <Anchor component="button" type="button" size="sm" onClick={testNow}>
          Test the source
        </Anchor>
      )
    );
  if (preview.error !== null)
    return (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <Mark tone="critical">Test failed</Mark> {preview.error.message} If only your agents can reach it, you
        can add it anyway.{' '}
        <Anchor component="button" type="button" size="sm" onClick={testNow}>
          Test again
        </Anchor>
      </Text>
    );
  return <LatestReleases preview={preview} sourceType={candidate?.source_type ?? null} />;
}
