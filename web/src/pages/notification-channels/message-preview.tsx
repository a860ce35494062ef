import { Collapse, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { JsonText } from '../../components/json-text.tsx';
import { MoreButton } from './more-button.tsx';

/** Shows the message that the channel would send for an example alert. */
export function MessagePreview({ text }: { text: string }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <Stack gap={4}>
      <MoreButton isOpen={isOpen} onClick={toggle}>
        Message preview
      </MoreButton>
      <Collapse expanded={isOpen}>
        <JsonText text={text} label="Sample message" maxHeight={260} />
      </Collapse>
    </Stack>
  );
}
