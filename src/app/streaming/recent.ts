/** The values that were used last, a certain number of them. */

export interface Recent<Value> {
  get(key: string): Value | undefined
  put(key: string, value: Value): void
}

export function createRecent<Value>(most: number): Recent<Value> {
  const values = new Map<string, Value>()

  function put(key: string, value: Value): void {
    values.delete(key)
    values.set(key, value)
    if (values.size > most) values.delete(values.keys().next().value ?? '')
  }

  return {
    get(key) {
      const value = values.get(key)
      if (value !== undefined) put(key, value)
      return value
    },
    put,
  }
}
