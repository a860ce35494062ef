import { Button, Group, Stack, Text } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { Section } from '../../ui/facts.tsx';
import { formatCount } from '../../ui/format.ts';
import type { AliasValues } from './alias-form.tsx';

/**
 * Lists suggested aliases. Shows nothing without suggestions, because most organizations have none.
 *
 * @param onUse Opens the form with the values. Undefined if the user can't create aliases.
 */
export function AliasSuggestions({ onUse }: { onUse: ((values: AliasValues) => void) | undefined }) {
  const { data } = useApi('listArtifactAliasSuggestions');
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Section title="Suggestions">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          These addresses look like mirrors, because the rest of each address is known at another one.
          {data.is_complete ? '' : ' Only the first 10,000 artifacts were compared.'}
        </Text>
        {data.items.map((suggestion) => (
          <Suggestion
            key={`${suggestion.prefix} ${suggestion.upstream_prefix}`}
            suggestion={suggestion}
            onUse={onUse}
          />
        ))}
      </Stack>
    </Section>
  );
}

function Suggestion({
  suggestion,
  onUse,
}: {
  suggestion: Schemas['ArtifactAliasSuggestion'];
  onUse: ((values: AliasValues) => void) | undefined;
}) {
  const { prefix, upstream_prefix, known_count, artifact_count, examples } = suggestion;
  return (
    <Group justify="space-between" gap="sm">
      <div>
        <Text size="sm">
          {prefix} is a mirror of {upstream_prefix}
        </Text>
        <Text size="xs" c="dimmed">
          {formatCount(known_count)} of {formatCount(artifact_count)} artifacts are known there, such as{' '}
          {examples.map(({ upstream }) => upstream).join(', ')}
        </Text>
      </div>
      {onUse && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Use the suggestion for ${prefix}`}
          onClick={() =>
            onUse({ name: `Mirror of ${upstream_prefix.slice(0, -1)}`, prefix, upstream_prefix })
          }
        >
          Use
        </Button>
      )}
    </Group>
  );
}
