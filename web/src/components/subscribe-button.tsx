import { Button, Code, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendar } from '@tabler/icons-react';
import { useApi } from '../api/use-api.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Loaded } from './loaded.tsx';

type Filters = Readonly<Record<string, string | undefined>>;

/** Available calendars, with a description of their content and the page filters that they support. */
const calendars = {
  getForecastCalendar: {
    about: 'It shows the crossings of the next 90 days, with the current severity and label filters.',
    filters: ['severity', 'label'],
  },
  getSupportCalendar: {
    about: 'It shows the last days of support within the next two years, with the current label filter.',
    filters: ['label'],
  },
} as const;

type CalendarId = keyof typeof calendars;

/**
 * Button that shows the URL of a calendar with the current filters of the page. Hidden if the organization
 * has disabled calendars.
 */
export function SubscribeButton({ calendar, filters }: { calendar: CalendarId; filters: Filters }) {
  const [isOpen, { open, close }] = useDisclosure();
  const settings = useApi('listEffectiveSettings');
  const areEnabled = settings.data?.items.find(({ key }) => key === 'calendars.enabled')?.value === true;
  if (!areEnabled) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconCalendar size={16} />} onClick={open}>
        Subscribe to calendar
      </Button>
      <Modal opened={isOpen} onClose={close} title="Subscribe to calendar">
        <CalendarUrl calendar={calendar} filters={filters} />
      </Modal>
    </>
  );
}

function CalendarUrl({ calendar: id, filters: given }: { calendar: CalendarId; filters: Filters }) {
  const { about, filters } = calendars[id];
  const query = Object.fromEntries(filters.flatMap((name) => (given[name] ? [[name, given[name]]] : [])));
  const calendar = useApi(id, { query: query as Record<string, never> });
  return (
    <Loaded query={calendar}>
      {({ url }) => (
        <Stack gap="sm">
          <Text size="sm">Add this URL to your calendar as a subscription. {about}</Text>
          <Code block aria-label="Calendar URL" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {url}
          </Code>
          <Text size="xs" c="var(--text-muted)">
            Anyone with the URL can see it without logging in. It stops working when you change your password
            or leave the organization.
          </Text>
          <CopyButton text={url} label="Copy URL" w="fit-content" />
        </Stack>
      )}
    </Loaded>
  );
}
