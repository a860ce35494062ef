import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../ui/copy-button.tsx';

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
        <Code block data-testid="one-time-link" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {link}
        </Code>
        <Group justify="space-between">
          <CopyButton text={link ?? ''} label="Copy link" />
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
