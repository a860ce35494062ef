import { Modal, Stack, Text } from '@mantine/core';
import { OneTimeValues } from '../../ui/one-time-values.tsx';

/**
 * Shows a link that can't be shown again later.
 * @param link The link, or `null` to close the dialog.
 */
export function OneTimeLink({
  title,
  about,
  link,
  onClose,
}: {
  title: string;
  about: string;
  link: string | null;
  onClose: () => void;
}) {
  return (
    <Modal opened={link !== null} onClose={onClose} title={title} size="lg">
      <Stack>
        <Text size="sm">{about} You won't see this link again.</Text>
        <OneTimeValues
          values={[{ label: 'Link', text: link ?? '', testId: 'one-time-link' }]}
          onClose={onClose}
        />
      </Stack>
    </Modal>
  );
}
