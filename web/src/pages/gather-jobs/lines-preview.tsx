import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { patternForSameFormat } from '../../../../src/domain/patterns/pattern-like.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { api } from '../../api/session.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { monoInput } from '../../components/mono-input.ts';
import { Mark } from '../../ui/mark.tsx';
import { LinesTable } from './lines-table.tsx';

type Request = Schemas['PreviewGatherJobRequest'];

const maxTags = 1_000;

/**
 * Previews how the form values parse the tags of a source. Uses the stored releases of a job, or pasted tags
 * for a new job.
 */
export function LinesPreview({
  jobId,
  reading,
  onPattern,
}: {
  /** ID of the job, or `null` for a new job, which has no releases yet. */
  jobId: number | null;
  reading: Required<Pick<Request, 'source_type' | 'version_pattern' | 'include_prereleases'>> &
    Pick<Request, 'version_scheme'>;
  onPattern(pattern: string): void;
}) {
  const [pasted, setPasted] = useState('');
  const [deployed, setDeployed] = useState('');
  const tags = pasted
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, maxTags);
  const trial = useMutation({
    mutationFn: async (version_pattern: string | null) => {
      const deployed_version = deployed.trim() === '' ? null : deployed.trim();
      if (jobId === null && tags.length === 0) return null;
      const body = {
        ...(jobId === null ? { tags } : { gather_job_id: jobId }),
        ...reading,
        version_pattern,
        deployed_version,
      };
      return { preview: await api.call('previewGatherJob', { body }), deployed_version };
    },
  });
  const follow = (tag: string) => {
    const pattern = patternForSameFormat(tag);
    onPattern(pattern);
    trial.mutate(pattern);
  };
  return (
    <Stack gap="sm">
      {jobId === null && (
        <Textarea
          label="Tags"
          description={`Paste tags of this source, such as v1.2.3, one per line, up to ${maxTags.toLocaleString('en')}. After the first run, its page shows the same for all releases.`}
          value={pasted}
          onChange={({ currentTarget }) => setPasted(currentTarget.value)}
          autosize
          minRows={3}
          maxRows={10}
          spellCheck={false}
          styles={monoInput}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      )}
      <TextInput
        label="Deployed version"
        description="Shows which releases it would be compared with. For example, 1.2.3."
        maxLength={256}
        value={deployed}
        onChange={({ currentTarget }) => setDeployed(currentTarget.value)}
        spellCheck={false}
        styles={monoInput}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <Button
        variant="default"
        size="xs"
        w="fit-content"
        loading={trial.isPending}
        onClick={() => trial.mutate(reading.version_pattern)}
      >
        Preview
      </Button>
      <div aria-live="polite">
        {trial.error && <ErrorNotice error={trial.error} />}
        {trial.data === null && <Mark tone="muted">Paste tags first</Mark>}
        {trial.data && (
          <LinesTable
            preview={trial.data.preview}
            deployedVersion={trial.data.deployed_version}
            isInForm
            // With a pattern, the listed versions can differ from their tags, so no pattern can be derived
            // from them.
            onFollow={reading.version_pattern === null ? follow : undefined}
          />
        )}
      </div>
    </Stack>
  );
}
