import { TextInput, type TextInputProps } from '@mantine/core';

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A date and a time, which browsers take in their own time zone. */
export function DateTimeField({ description, ...props }: TextInputProps) {
  return (
    <TextInput
      type="datetime-local"
      description={
        <>
          In your time zone ({timeZone}). {description}
        </>
      }
      {...props}
    />
  );
}
