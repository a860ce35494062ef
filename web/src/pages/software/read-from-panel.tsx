import { Box, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useHasRole } from '../../api/use-me.ts';
import { EditDialog } from '../../components/edit-dialog.tsx';
import { JobMenu } from '../../components/job-menu.tsx';
import { Section } from '../../ui/facts.tsx';
import { PipelineCommand } from '../scrape-jobs/pipeline-command.tsx';
import { ScrapeJobFacts } from '../scrape-jobs/scrape-job-facts.tsx';
import { ScrapeJobForm } from '../scrape-jobs/scrape-job-form.tsx';
import { SetVersionForm } from '../scrape-jobs/set-version-form.tsx';

/** Shows where the deployed version is read from, and edits it in place. */
export function ReadFromPanel({ job, leave }: { job: Schemas['ScrapeJob']; leave: () => Promise<unknown> }) {
  const [isEditing, editing] = useDisclosure(false);
  const update = useAction('updateScrapeJob', { quiet: true, done: 'Version tracker saved' });
  const canWrite = useHasRole('member');
  const isManual = job.parser_type === 'manual';
  return (
    <Section
      id="read-from"
      title="Version tracker"
      actions={
        canWrite && (
          <Group gap={4}>
            <Button variant="default" size="xs" aria-label="Edit version tracker" onClick={editing.open}>
              Edit
            </Button>
            <JobMenu kind="scrape" job={job} neverRuns={isManual} leave={leave} />
          </Group>
        )
      }
    >
      {isManual && canWrite && (
        <Box mb="md">
          <SetVersionForm job={job} />
        </Box>
      )}
      <ScrapeJobFacts job={job} />
      {isManual && canWrite && (
        <Box mt="sm">
          <PipelineCommand job={job} />
        </Box>
      )}
      <EditDialog
        title="Edit version tracker"
        resource={job}
        isOpen={isEditing}
        close={editing.close}
        update={update.mutateAsync}
      >
        {(opened, form) => <ScrapeJobForm job={opened} {...form} />}
      </EditDialog>
    </Section>
  );
}
