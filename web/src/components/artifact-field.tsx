import { Text, TextInput } from '@mantine/core';
import { guessSource } from '../../../src/domain/source-types/guess-source.ts';
import { type SourceTypeId, sourceTypes } from '../../../src/domain/source-types/source-types.ts';

/** Returns the normalized artifact name, or the typed text if the name isn't valid yet. */
export function toArtifactName(sourceType: SourceTypeId, typed: string): string {
  const artifact = sourceTypes[sourceType].normalizeArtifactName(typed);
  return artifact.ok ? artifact.artifactName : typed.trim();
}

/** Field for an artifact. Accepts project URLs and artifact names, and shows the name that will be stored. */
export function ArtifactField({
  label,
  sourceType,
  onSourceType,
  onChange,
  ...input
}: {
  label: string;
  sourceType: SourceTypeId;
  /**
   * Callback that receives the source type that the typed text suggests. Omit it if the user has already
   * selected a source type.
   */
  onSourceType?: ((sourceType: SourceTypeId) => void) | undefined;
  value?: string;
  onChange(value: string): void;
  error?: React.ReactNode;
}) {
  const { shape, example } = sourceTypes[sourceType];
  const typed = input.value?.trim() ?? '';
  const stored = toArtifactName(sourceType, typed);
  return (
    <div>
      <TextInput
        label={label}
        description={`Paste the project URL, or enter ${shape}. For example, ${example}.`}
        required
        spellCheck={false}
        {...input}
        onChange={({ currentTarget: { value } }) => {
          onChange(value);
          const guess = guessSource(value);
          if (guess) onSourceType?.(guess.source_type);
        }}
      />
      <Text size="xs" mt={2} aria-live="polite" style={{ overflowWrap: 'anywhere' }}>
        {stored !== typed && (
          <>
            Saved as <code>{stored}</code>
          </>
        )}
      </Text>
    </div>
  );
}
