import { TextInput, type TextInputProps } from '@mantine/core';

/** Name field, which all channel types share. */
export function ChannelNameField(props: TextInputProps) {
  return (
    <TextInput
      label="Name"
      description="Shown in lists and notification rules. For example, Operations."
      required
      {...props}
    />
  );
}
