/** Descriptions to search for with one press. */
export interface DescriptionChip {
  readonly id: string
  readonly description: string
}

export function DescriptionChips<Chip extends DescriptionChip>({
  chips,
  onChoose,
}: {
  readonly chips: readonly Chip[]
  readonly onChoose: (chip: Chip) => void
}) {
  return (
    <ul className="flex flex-wrap gap-2">
      {chips.map((chip) => (
        <li key={chip.id} className="min-w-0">
          <button
            type="button"
            onClick={() => onChoose(chip)}
            className="min-h-11 max-w-full rounded-full border border-line bg-card px-4 py-1.5 text-start text-sm transition-colors duration-150 hover:border-edge hover:bg-sunken"
          >
            <bdi className="line-clamp-2">{chip.description}</bdi>
          </button>
        </li>
      ))}
    </ul>
  )
}
