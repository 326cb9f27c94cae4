/**
 * A UUID in lower case, as it is published. In any case: `new RegExp(uuidPattern, 'i')`.
 *
 *     uuidPattern.test('4fd35a71-71ef-5a55-a9d9-aa75c889a6d0') // true
 */
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
