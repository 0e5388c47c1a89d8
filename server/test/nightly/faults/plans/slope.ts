/** The slope of the line that lies nearest to some points, by least squares. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  if (points.length < 2) return 0
  const mean = (of: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [meanX, meanY] = [mean(([x]) => x), mean(([, y]) => y)]
  const across = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  const along = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  return along === 0 ? 0 : across / along
}
