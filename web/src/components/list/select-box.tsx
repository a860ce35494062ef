import { useEffect, useRef } from 'react';
import classes from './resource-list.module.css';

/**
 * Native checkbox, because a list renders many checkboxes at the same time.
 * @param onChange Callback that receives true if Shift was pressed.
 */
export function SelectBox({
  label,
  isChecked,
  isIndeterminate = false,
  onChange,
}: {
  label: string;
  isChecked: boolean;
  isIndeterminate?: boolean;
  onChange: (isRange: boolean) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = isIndeterminate;
  }, [isIndeterminate]);
  return (
    <input
      ref={input}
      type="checkbox"
      className={classes.select}
      aria-label={label}
      checked={isChecked}
      onChange={({ nativeEvent }) => onChange(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  );
}
