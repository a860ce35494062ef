import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { basePath } from '../api/page-location.ts';
import { api } from '../api/session.ts';
import { loadPage, switchOrganization } from '../api/switch-organization.ts';
import { showError } from '../api/use-action.ts';
import { useMe } from '../api/use-me.ts';

/** Offers sample data to a user whose organization has nothing to show yet. */
export function SampleDataOffer() {
  const { organization, organizations } = useMe();
  const load = useMutation({
    mutationFn: async () => switchOrganization((await api.call('loadSampleData')).id),
    onError: showError,
  });
  if (organization.is_sample) return null;
  const isLoaded = organizations.some(({ is_sample }) => is_sample);
  return (
    <Group gap="xs" mt="md">
      <Text size="sm" c="var(--text-muted)">
        {isLoaded
          ? 'Your sample data is in a separate organization.'
          : 'Not ready yet? Sample data is in a separate organization that only you can see.'}
      </Text>
      <Button variant="default" size="xs" loading={load.isPending} onClick={() => load.mutate()}>
        {isLoaded ? 'Open sample data' : 'Load sample data'}
      </Button>
      {isLoaded && <RemoveButton organizationId={organization.id} />}
    </Group>
  );
}

/**
 * Button that removes the sample data, and continues in an organization.
 * @param organizationId The organization in which the session continues.
 */
export function RemoveButton({ organizationId }: { organizationId: number }) {
  const { organization } = useMe();
  const remove = useMutation({
    mutationFn: async () => {
      if (organization.id !== organizationId)
        await api.call('switchOrganization', { body: { organization_id: organizationId } });
      await api.call('deleteSampleData');
      return loadPage(`${basePath}/`);
    },
    onError: showError,
  });
  return (
    <Button variant="default" size="xs" loading={remove.isPending} onClick={() => remove.mutate()}>
      Remove sample data
    </Button>
  );
}
