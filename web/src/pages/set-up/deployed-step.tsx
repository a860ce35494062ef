import { Autocomplete, Divider, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRef, useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { monoInput } from '../../components/mono-input.ts';
import { suggestedSchedules } from '../../components/suggested-schedules.ts';
import { useSubmit } from '../../components/use-submit.ts';
import { TextLink } from '../../ui/links.tsx';
import { ParserPreview } from '../scrape-jobs/parser-preview.tsx';
import { parserOptions, parsers } from '../scrape-jobs/parser-types.ts';
import { ChoiceList } from './choice-list.tsx';

type FileParser = keyof typeof parsers;
const fileParsers = parserOptions.filter(({ value }) => value !== 'manual');

interface Upstream {
  gatherJobId: number | null;
  /** What the thing is called upstream. */
  name: string;
  latestVersion: string | null;
}

/** Which version runs: typed, read from a file, or known already. */
export function DeployedStep({
  chosen,
  upstream,
  onSettled,
}: {
  chosen: Schemas['ScrapeJob'] | undefined;
  upstream: Upstream;
  onSettled(scrapeJobId: number): void;
}) {
  const jobs = useApi('listScrapeJobsDropdown');
  const [way, setWay] = useState('manual');
  const others = jobs.data?.filter(({ id }) => id !== chosen?.id) ?? [];
  return (
    <Stack gap="md">
      <ChoiceList
        label="Existing version trackers"
        choices={others.map(({ id, name, latest_version }) => ({ id, name, note: latest_version }))}
        onChoose={onSettled}
      />
      {others.length > 0 && <Divider label="Or add a new one" />}
      <div>
        <SegmentedControl
          aria-label="Version source"
          data={[
            { value: 'manual', label: 'Enter it manually' },
            { value: 'file', label: 'Read it from Git' },
          ]}
          value={way}
          onChange={setWay}
        />
        <Text size="sm" c="var(--text-muted)" mt={6}>
          {way === 'manual'
            ? 'The fastest way to start. Your pipeline can report versions later.'
            : 'An agent reads one file every hour, such as values.yaml or a Dockerfile.'}
        </Text>
      </div>
      {way === 'manual' ? (
        <TypedVersionForm chosen={chosen} upstream={upstream} onSettled={onSettled} />
      ) : (
        <RepositoryFileForm upstream={upstream} onSettled={onSettled} />
      )}
    </Stack>
  );
}

interface FormProps {
  upstream: Upstream;
  onSettled(scrapeJobId: number): void;
}

/** @param chosen The tracker of a step that is edited. A manual one gets another version, unless its name is changed. */
function TypedVersionForm({
  chosen,
  upstream,
  onSettled,
}: FormProps & { chosen: Schemas['ScrapeJob'] | undefined }) {
  const create = useAction('createScrapeJob', { quiet: true });
  const setVersion = useAction('setScrapeJobVersion', { quiet: true });
  const releases = useApi(
    'listReleases',
    { query: { gather_job_id: upstream.gatherJobId ?? 0, limit: 200 } },
    { enabled: upstream.gatherJobId !== null },
  );
  const known = [...new Set(releases.data?.items.map(({ version }) => version))];
  // A version that is refused must not leave a second job behind when it is given again.
  const made = useRef<number | null>(null);
  const edited = chosen?.parser_type === 'manual' && chosen.discovery_job_id === null ? chosen : null;
  const form = useForm({
    initialValues: { name: edited?.name ?? upstream.name, version: edited?.latest_version ?? '' },
  });
  const { onSubmit, error, isBusy } = useSubmit(form, async ({ name, version }) => {
    if (edited?.name === name) made.current = edited.id;
    made.current ??= (await create.mutateAsync({ body: { name, parser_type: 'manual' } })).id;
    await setVersion.mutateAsync({ path: { id: made.current }, body: { version } });
    onSettled(made.current);
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={480}>
        <Autocomplete
          label="Deployed version"
          placeholder={upstream.latestVersion ?? '1.2.3'}
          // A version that is typed in full needs no suggestions, with or without a v.
          data={known.some((version) => withoutV(version) === withoutV(form.values.version)) ? [] : known}
          limit={20}
          // They end above the button, which they would otherwise cover.
          comboboxProps={{ middlewares: { flip: false, shift: true } }}
          maxDropdownHeight={110}
          required
          spellCheck={false}
          {...form.getInputProps('version')}
        />
        <TextInput label="Name" required {...form.getInputProps('name')} />
        <FormActions submit="Continue" isBusy={isBusy} error={error} />
      </Stack>
    </form>
  );
}

const withoutV = (version: string) => version.trim().replace(/^v/i, '');

function RepositoryFileForm({ upstream, onSettled }: FormProps) {
  const create = useAction('createScrapeJob', { quiet: true });
  const form = useForm({
    initialValues: {
      name: upstream.name,
      repository_url: '',
      target_file: '',
      parser_type: 'yq' as FileParser,
      parse_expression: '',
    },
  });
  const { parser_type, parse_expression } = form.values;
  const { example, about } = parsers[parser_type];
  const { onSubmit, error, isBusy } = useSubmit(form, async (values) => {
    const { id } = await create.mutateAsync({
      body: { ...values, cron_expression: suggestedSchedules.deployed },
    });
    onSettled(id);
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" maw={640}>
        <TextInput label="Name" required {...form.getInputProps('name')} />
        <TextInput
          label="Repository"
          placeholder="https://github.com/example/infrastructure.git"
          required
          spellCheck={false}
          {...form.getInputProps('repository_url')}
        />
        <TextInput
          label="File"
          placeholder={example.file}
          required
          spellCheck={false}
          {...form.getInputProps('target_file')}
        />
        <Select
          label="Parser"
          data={fileParsers}
          allowDeselect={false}
          {...form.getInputProps('parser_type')}
        />
        <TextInput
          label={parser_type === 'regex' ? 'Pattern' : 'Path'}
          description={about}
          placeholder={example.expression}
          required
          spellCheck={false}
          styles={monoInput}
          {...form.getInputProps('parse_expression')}
        />
        <ParserPreview tried={{ parser_type, parse_expression, version_transform: 'none' }} />
        <Text size="sm" c="var(--text-muted)">
          For a private repository or a specific branch, use{' '}
          <TextLink to="/scrape-jobs/new" inherit underline="always">
            the full form
          </TextLink>
          . The version tracker then appears here under “Existing version trackers”.
        </Text>
        <FormActions submit="Continue" isBusy={isBusy} error={error} />
      </Stack>
    </form>
  );
}
