import { Alert, Group } from '@mantine/core';
import { useMe } from '../../api/use-me.ts';
import { RemoveButton } from '../sample-data.tsx';

/** Notice at the top of each page while the user views sample data. */
export default function SampleDataNotice() {
  const { organizations } = useMe();
  const next = organizations.find(({ is_sample }) => !is_sample);
  return (
    <Alert role="note" color="blue" mb="md" title="Sample data">
      <Group justify="space-between" gap="xs">
        <span>
          Everything here is fictional. Only you can see it, you can't change it, and no one is notified.
        </span>
        {next !== undefined && <RemoveButton organizationId={next.id} />}
      </Group>
    </Alert>
  );
}
