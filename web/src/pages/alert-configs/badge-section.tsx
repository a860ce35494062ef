import { Code, Group, Text } from '@mantine/core';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Section } from '../../ui/facts.tsx';

/** The picture that a README shows, and the Markdown for it. Nothing where the organization shows no badges. */
export function BadgeSection({ alertConfigId }: { alertConfigId: number }) {
  const settings = useApi('listEffectiveSettings');
  const areShown = settings.data?.items.find(({ key }) => key === 'badges.enabled')?.value === true;
  return areShown ? <Badge alertConfigId={alertConfigId} /> : null;
}

function Badge({ alertConfigId }: { alertConfigId: number }) {
  const badge = useApi('getAlertConfigBadge', { path: { id: alertConfigId } });
  return (
    <Section title="Badge">
      <Loaded query={badge}>
        {({ url, markdown }) => (
          <>
            {/* From where this page is, whatever the address for others. */}
            <img src={new URL(url).pathname} alt="Current badge" style={{ maxWidth: '100%' }} />
            <Text size="sm" c="var(--text-muted)" my="xs">
              Add it to a README or wiki. Anyone with the URL can see the badge, without logging in.
            </Text>
            <Code block tabIndex={0} aria-label="Badge Markdown">
              {markdown}
            </Code>
            <Group gap="xs" mt="xs">
              <CopyButton text={markdown} label="Copy Markdown" />
              <CopyButton text={url} label="Copy URL" />
            </Group>
          </>
        )}
      </Loaded>
    </Section>
  );
}
