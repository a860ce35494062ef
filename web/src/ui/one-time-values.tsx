import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from './copy-button.tsx';

interface OneTimeValue {
  label: string;
  text: string;
  testId?: string;
}

/**
 * Values that can't be shown again, each with its copy button, and the button that closes their dialog. Copying is the
 * primary action until every value was copied, because closing the dialog loses them.
 */
export function OneTimeValues({ values, onClose }: { values: readonly OneTimeValue[]; onClose: () => void }) {
  const [copied, setCopied] = useState<ReadonlySet<string>>(new Set());
  return (
    <>
      {values.map(({ label, text, testId }) => (
        <Stack key={label} gap={4}>
          <Text size="sm" fw={500}>
            {label}
          </Text>
          <Group gap="xs" wrap="nowrap" align="flex-start">
            <Code
              block
              aria-label={label}
              data-testid={testId}
              style={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
            >
              {text}
            </Code>
            <CopyButton
              text={text}
              aria-label={`Copy ${label}`}
              variant={copied.has(label) ? 'default' : 'filled'}
              onCopied={() => setCopied(new Set([...copied, label]))}
            />
          </Group>
        </Stack>
      ))}
      <Group justify="flex-end">
        <Button
          variant={values.every(({ label }) => copied.has(label)) ? 'filled' : 'default'}
          onClick={onClose}
        >
          Done
        </Button>
      </Group>
    </>
  );
}
