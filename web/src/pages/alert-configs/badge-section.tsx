import { Code, Group, Text } from '@mantine/core';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Section } from '../../ui/facts.tsx';

/**
 * Shows the badge of an alert configuration and the Markdown to embed it. Renders nothing if badges are
 * disabled for the organization.
 */
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
            {/* The path without the host loads the badge from the origin of this page, even if the public URL differs. */}
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
