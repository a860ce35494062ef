import { Alert, Button, Group, List, Stack } from '@mantine/core';
import { CopyButton } from '../../ui/copy-button.tsx';
import { downloadText } from '../../ui/download-text.ts';

/** Recovery codes, which are shown only once, after they have been issued. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <Stack gap="sm">
      <Alert color="yellow" variant="outline" title="Save your recovery codes">
        Each recovery code replaces a code from the app once, in case you lose your phone. They aren't shown
        again.
      </Alert>
      <List listStyleType="none" ff="monospace" size="sm" aria-label="Recovery codes">
        {codes.map((code) => (
          <List.Item key={code}>{code}</List.Item>
        ))}
      </List>
      <Group gap="xs">
        <CopyButton text={text} label="Copy codes" />
        <Button
          variant="default"
          onClick={() => downloadText('pacekeeper-recovery-codes.txt', text, 'text/plain')}
        >
          Download
        </Button>
        <Button onClick={onDone}>I saved them</Button>
      </Group>
    </Stack>
  );
}
