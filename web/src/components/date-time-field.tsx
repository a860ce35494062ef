import { TextInput, type TextInputProps } from '@mantine/core';

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Field for a date and time in the browser's time zone. */
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
